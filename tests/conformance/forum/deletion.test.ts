import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  type ForumApi,
  forumOf,
  openForumHouse,
} from '../../support/forum-api.ts';
import { post, reply } from '../../support/forum-posts.ts';
import type { TestHouse } from '../../support/open-house.ts';

const confirm = 'delete my account';

forEachEngine((engine) => {
  describe('an account that is deleted', () => {
    let house: TestHouse;
    let api: ForumApi;
    let members = 0;
    before(async () => {
      house = await openForumHouse({ engine });
      api = forumOf(house);
    });
    after(() => house.close());

    const join = (given?: Parameters<typeof joinForum>[2]) => {
      members += 1;
      return joinForum(house, `leaver_${members}`, given);
    };
    const leave = (member: Member, body: unknown = { confirm }) =>
      member.call('DELETE', '/me', { body });
    const gone = [404, 'not_found'] as const;

    test('says so in these words, and in no others [FORUM-088]', async () => {
      const member = await join();
      const wrong = [
        ...['', 'DELETE MY ACCOUNT', 'delete my account ', 'delete', true, null].map((said) => ({
          confirm: said,
        })),
        {},
        { Confirm: confirm },
      ];
      for (const body of wrong) assertBadField(await leave(member, body), 'confirm');
      assertBadField(await member.call('DELETE', '/me'), 'confirm');
      assert.equal((await member.call('GET', '/me')).status, 200);
    });

    test('is gone at once, for itself and for all [FORUM-089]', async () => {
      const [member, reader] = [await join(), await join()];
      const { status, body } = await leave(member);
      assert.deepEqual([status, body], [200, { deleted: true, id: member.id }]);
      assertNo(await member.call('GET', '/me'), [401, 'unauthorized']);
      assertNo(await leave(member), [401, 'unauthorized']);
      assertNo(await reader.call('GET', `/accounts/${member.handle}`), gone);
      const handle = { handle: member.handle };
      assertNo(await api.call('POST', '/challenges', { body: handle }), [409, 'handle_taken']);
    });

    test('takes all that it wrote out of every list, thread, search, digest and page [FORUM-090] [FORUM-092]', async () => {
      const [member, reader] = [await join(), await join()];
      const open = await post(member, { title: 'Ephemeral quince', audience: 'public' });
      const inner = await post(member, { title: 'Ephemeral medlar' });
      const other = await post(reader, { title: 'A thread that stays', audience: 'public' });
      const said = await reply(member, other, 'an ephemeral damson');
      await reply(reader, other, 'a lasting plum');
      assert.equal((await reader.call('GET', `/posts/${other.id}`)).body.post.reply_count, 2);
      await leave(member);
      for (const { id } of [open, inner, said]) {
        assertNo(await reader.call('GET', `/posts/${id}`), gone);
        assertNo(await api.call('GET', `/posts/${id}`), gone);
      }
      const { body: list } = await reader.call('GET', '/posts?limit=50');
      const listed = list.items.map(({ id }: { id: number }) => id);
      assert.ok(listed.includes(other.id));
      assert.ok(!listed.includes(open.id) && !listed.includes(inner.id));
      const { body: thread } = await reader.call('GET', `/posts/${other.id}`);
      assert.equal(thread.post.reply_count, 1);
      assert.deepEqual(
        thread.replies.map(({ body }: { body: string }) => body),
        ['a lasting plum'],
      );
      for (const word of ['quince', 'medlar', 'damson']) {
        assert.deepEqual((await reader.call('GET', `/search?q=${word}`)).body.items, [], word);
      }
      const { text: digest } = await reader.call('GET', '/me/digest?since=0');
      assert.doesNotMatch(digest, /quince|medlar|damson/);
      for (const path of ['/', `/p/${other.id}`]) {
        const { status, text } = await api.fetch('GET', path, { headers: { accept: 'text/html' } });
        assert.equal(status, 200, path);
        assert.doesNotMatch(text, /quince|medlar|damson/);
      }
      assert.equal((await api.fetch('GET', `/p/${open.id}`)).status, 404);
    });

    test('leaves the replies of others to them, though nobody reads their thread [FORUM-091]', async () => {
      const [member, other] = [await join(), await join()];
      const root = await post(member, { audience: 'public' });
      const kept = await reply(other, root, 'mine to keep');
      await leave(member);
      assertNo(await other.call('GET', `/posts/${root.id}`), gone);
      assertNo(await other.call('GET', `/posts/${kept.id}`), gone);
      assert.deepEqual((await other.call('GET', '/search?q=mine+to+keep')).body.items, []);
      const ids = async () =>
        (await other.call('GET', '/me/export')).body.posts.map(({ id }: { id: number }) => id);
      assert.deepEqual(await ids(), [kept.id]);
      assert.ok((await other.call('GET', '/me')).body.storage.used.posts > 0);
      assert.equal((await other.call('DELETE', `/posts/${kept.id}`)).status, 200);
      assert.deepEqual(await ids(), []);
      assert.equal((await other.call('GET', '/me')).body.storage.used.posts, 0);
    });

    test('stays a pseudonym to staff, with what was reported of it [FORUM-095]', async () => {
      const [member, reporter] = [await join(), await join()];
      const moderator = await join({ role: 'moderator' });
      const root = await post(member, { title: 'Reported', body: 'The text that was reported.' });
      const reason = 'a reason of more than ten characters';
      const { body: report } = await reporter.call('POST', '/reports', {
        body: { post_id: root.id, reason },
      });
      const about = { body: { account_id: member.id, reason } };
      const { body: other } = await reporter.call('POST', '/reports', about);
      await leave(member);
      const { status, body } = await moderator.call('GET', `/moderation/posts/${root.id}`);
      assert.equal(status, 200);
      assert.deepEqual(
        [body.status, body.deleted_by, body.title, body.body, body.author],
        ['deleted', 'account_deleted', null, null, null],
      );
      assert.equal(body.author_id, member.id);
      assert.equal(typeof body.author_audit_id, 'string');
      assert.equal(body.reports[0].snapshot.body, 'The text that was reported.');
      const { body: reports } = await moderator.call('GET', '/moderation/reports');
      const ids = reports.items.map(({ id }: { id: number }) => id);
      assert.ok(ids.includes(report.id) && ids.includes(other.id));
    });

    test('is never that of the owner [FORUM-097]', async () => {
      const token = await house.command('forum', 'owner-token', { confirm: 'erase-my-notes' });
      const refused = await api.call('DELETE', '/me', { token, body: { confirm } });
      assertNo(refused, [403, 'forbidden']);
      assert.equal((await api.call('GET', '/me', { token })).body.role, 'owner');
    });

    test('is never one that is suspended [FORUM-175]', async () => {
      const member = await join();
      await house.command('forum', 'suspend', { account_id: member.id, reason: 'a test' });
      assertNo(await leave(member), [401, 'account_suspended']);
      await house.command('forum', 'restore', { account_id: member.id, reason: 'a test' });
      assert.equal((await member.call('GET', '/me')).status, 200);
    });
  });
});
