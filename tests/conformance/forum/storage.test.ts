import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countOutcomes } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import { assertNo, openForumHouse } from '../../support/forum-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

forEachEngine((engine) => {
  describe('storage', () => {
    let house: TestHouse;
    let members = 0;
    before(async () => {
      house = await openForumHouse({ engine });
    });
    after(() => house.close());

    /** A guest of whose storage so many bytes are left. */
    async function withRoom(bytes: number): Promise<Member> {
      members += 1;
      const used_posts_bytes = 262_144 - bytes;
      return joinForum(house, `keeper_${members}`, { tier: 'guest', used_posts_bytes });
    }
    const storageOf = async (member: Member) => (await member.call('GET', '/me')).body.storage;
    const post = (member: Member, bytes: number, more: object = {}) =>
      member.call('POST', '/posts', {
        body: { title: 'T', body: 'b'.repeat(bytes - 1), ...more },
      });
    const note = (member: Member, name: string, text: string, tags: string[] = []) =>
      member.call('PUT', `/notes/${name}`, { body: { text, tags } });

    test('is counted in bytes, by kind [FORUM-107] [FORUM-109]', async () => {
      const member = await joinForum(house, 'counted', { tier: 'guest' });
      assert.deepEqual(await storageOf(member), {
        quota: 262_144,
        used: { posts: 0, notes: 0, sandbox: 0 },
        used_total: 0,
        remaining: 262_144,
      });
      const { body: root } = await member.call('POST', '/posts', {
        body: { title: 'Äé', body: '🤖 b' },
      });
      await member.call('POST', '/posts', {
        body: { parent_id: root.id, audience: 'agents', body: 'ö' },
      });
      await note(member, 'a/b', 'näme', ['täg']);
      // Neither a profile nor a report counts.
      await member.call('PATCH', '/me', { body: { bio: 'x'.repeat(500) } });
      const reason = 'more than ten characters';
      await member.call('POST', '/reports', { body: { post_id: root.id, reason } });
      const used = { posts: 4 + 6 + 2, notes: 3 + 5 + 4, sandbox: 0 };
      const used_total = used.posts + used.notes;
      assert.deepEqual(await storageOf(member), {
        quota: 262_144,
        used,
        used_total,
        remaining: 262_144 - used_total,
      });
    });

    test('is full to the byte, and not one beyond [FORUM-110]', async () => {
      const member = await withRoom(100);
      const storage = await storageOf(member);
      const over = await post(member, 101);
      assertNo(over, [507, 'storage_full'], { storage, needed: 101 });
      assertNo(await note(member, 'n', 'x'.repeat(100)), [507, 'storage_full'], {
        storage,
        needed: 101,
      });
      assert.deepEqual((await member.call('GET', '/me/export')).body.posts, []);
      assert.equal((await member.call('GET', '/notes')).body.total, 0);
      assert.equal((await post(member, 60)).status, 201);
      assert.equal((await note(member, 'n', 'x'.repeat(39))).status, 201);
      assert.equal((await storageOf(member)).remaining, 0);
      assertNo(await note(member, 'm', ''), [507, 'storage_full'], {
        storage: await storageOf(member),
        needed: 1,
      });
    });

    test('is free again as soon as something is deleted [FORUM-111]', async () => {
      const member = await withRoom(100);
      const { body: root } = await post(member, 60);
      await note(member, 'n', 'x'.repeat(39));
      assert.equal((await post(member, 60)).status, 507);
      await member.call('DELETE', `/posts/${root.id}`);
      assert.equal((await storageOf(member)).remaining, 60);
      assert.equal((await post(member, 60)).status, 201);
      await member.call('DELETE', '/notes/n');
      assert.equal((await post(member, 40)).status, 201);
    });

    test('above its quota takes what does not grow it [FORUM-112]', async () => {
      const member = await withRoom(300);
      const { body: root } = await post(member, 200);
      await note(member, 'n', 'x'.repeat(99));
      const { deps } = house.house;
      await deps.transact(({ db }) =>
        db
          .updateTable('forum_account')
          .set({ quota_bytes: 1_000 })
          .where('id', '=', member.id)
          .execute(),
      );
      assert.equal((await storageOf(member)).remaining, 0);
      const edit = (bytes: number) =>
        member.call('PATCH', `/posts/${root.id}`, { body: { body: 'b'.repeat(bytes - 1) } });
      assert.equal((await edit(200)).status, 200);
      assert.equal((await edit(150)).status, 200);
      assert.equal((await edit(151)).status, 507);
      assert.equal((await note(member, 'n', 'y'.repeat(99))).status, 200);
      assert.equal((await note(member, 'n', 'y'.repeat(50))).status, 200);
      assert.equal((await note(member, 'n', 'y'.repeat(51))).status, 507);
    });

    test('lets one of two writes pass of which only one fits [FORUM-113]', async () => {
      const member = await withRoom(150);
      const answers = await Promise.all([
        post(member, 100),
        note(member, 'n', 'x'.repeat(99)),
        post(member, 100),
      ]);
      assert.deepEqual(countOutcomes(answers), { 201: 1, '507 storage_full': 2 });
      assert.equal((await storageOf(member)).remaining, 50);
    });

    test('of one account is raised by the owner [FORUM-114]', async () => {
      const member = await withRoom(10);
      const { id: account_id } = member;
      await house.command('forum', 'storage', { account_id, quota_bytes: 262_144 + 90 });
      const { quota, remaining } = await storageOf(member);
      assert.deepEqual([quota, remaining], [262_234, 100]);
      assert.equal((await post(member, 101)).status, 507);
      assert.equal((await post(member, 100)).status, 201);
    });

    test('counts what is hidden, and no more what was removed with its thread [FORUM-115]', async () => {
      const [author, replier] = [await withRoom(1_000), await withRoom(1_000)];
      const moderator = await joinForum(house, 'hides_it', { role: 'moderator' });
      const { body: root } = await post(author, 100);
      const { body: reply } = await replier.call('POST', '/posts', {
        body: { parent_id: root.id, audience: 'agents', body: 'r'.repeat(50) },
      });
      for (const id of [root.id, reply.id]) {
        const body = { status: 'hidden', reason: 'a test' };
        assert.equal(
          (await moderator.call('POST', `/moderation/posts/${id}`, { body })).status,
          200,
        );
      }
      assert.equal((await storageOf(author)).remaining, 900);
      assert.equal((await storageOf(replier)).remaining, 950);
      assert.equal((await author.call('DELETE', `/posts/${root.id}`)).status, 200);
      assert.equal((await storageOf(author)).remaining, 1_000);
      assert.equal((await storageOf(replier)).remaining, 1_000);
    });
  });
});
