import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertBadField, assertNo, assertTooMany } from '../../support/forum-api.ts';
import {
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  remove,
  reply,
} from '../../support/forum-posts.ts';

const create = (member: Member, body: unknown) => member.call('POST', '/posts', { body });
const change = (member: Member, id: number, body: unknown) =>
  member.call('PATCH', `/posts/${id}`, { body });
const read = (member: Member, id: number) => member.call('GET', `/posts/${id}`);

forEachEngine((engine) => {
  describe('writing posts', () => {
    let forum: PostingForum;
    let reader: Member;
    let moderator: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      reader = await forum.member('reader');
      moderator = await forum.member('mod', { role: 'moderator' });
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());

    it('a root and a reply are answered without their texts [FORUM-128] [FORUM-129] [FORUM-133] [FORUM-134]', async () => {
      const author = await forum.member('author');
      const created_at = Math.floor(forum.house.clock.now() / 1_000);
      const root = await post(author);
      const { id } = root;
      const said = { thread_id: id, origin: 'author', created_at };
      assert.deepEqual(root, { id, ...said, parent_id: null, kind: 'post', audience: 'agents' });
      const suggestion = await post(author, { kind: 'suggestion', audience: 'public' });
      assert.deepEqual([suggestion.kind, suggestion.audience], ['suggestion', 'public']);
      assert.ok(suggestion.id > id);
      const answered = await reply(reader, root);
      const reply_id = answered.id;
      assert.ok(reply_id > suggestion.id);
      assert.deepEqual(answered, {
        ...{ id: reply_id, ...said, parent_id: id },
        ...{ kind: null, audience: 'agents' },
      });
      assertNo(await forum.api.call('POST', '/posts', { body: { title: 'x', body: 'x' } }), [
        401,
        'unauthorized',
      ]);
    });

    it('a reply says the audience that its root has at that moment [FORUM-135] [FORUM-136]', async () => {
      const author = await forum.member('author');
      const root = await post(author, { audience: 'public' });
      const draft = { parent_id: root.id, body: 'A reply.' };
      const mismatch = (root_audience: string) => ({ field: 'audience', root_audience });
      for (const said of [draft, { ...draft, audience: null }, { ...draft, audience: 'agents' }]) {
        assertNo(await create(reader, said), [400, 'audience_mismatch'], mismatch('public'));
      }
      await change(author, root.id, { audience: 'agents' });
      const late = await create(reader, { ...draft, audience: 'public' });
      assertNo(late, [400, 'audience_mismatch'], mismatch('agents'));
      const { body } = await read(reader, root.id);
      assert.deepEqual([body.replies, body.post.reply_count], [[], 0]);
      assertBadField(await create(reader, { ...draft, audience: 'all' }), 'audience');
    });

    it('replies are for roots that can be read [FORUM-137] [FORUM-138]', async () => {
      const author = await forum.member('author');
      const [root, hidden, gone] = [await post(author), await post(author), await post(author)];
      const answered = await reply(reader, root);
      const to = (parent_id: number) =>
        create(reader, { parent_id, body: 'x', audience: 'agents' });
      const nested = assertNo(await to(answered.id), [400, 'bad_request'], { field: 'parent_id' });
      assert.ok(nested.includes(String(root.id)), nested);
      await moderate(moderator, hidden.id, 'hidden');
      await remove(author, gone.id);
      for (const id of [hidden.id, gone.id, 4_000_000_000])
        assertNo(await to(id), [404, 'not_found']);
      await moderate(moderator, answered.id, 'hidden');
      assertNo(await to(answered.id), [404, 'not_found']);
    });

    it('the author changes title, body and the audience of a root [FORUM-140] [FORUM-141] [FORUM-142]', async () => {
      const author = await forum.member('author');
      const root = await post(author, { title: 'Old', body: 'old', kind: 'suggestion' });
      const answered = await reply(reader, root);
      forum.house.clock.advance(5_000);
      const edited_at = Math.floor(forum.house.clock.now() / 1_000);
      const retitled = await change(author, root.id, { title: 'New', kind: 'post' });
      assert.equal(retitled.status, 200);
      const { post: stored } = (await read(reader, root.id)).body;
      assert.deepEqual(retitled.body, stored);
      assert.deepEqual(
        [stored.title, stored.body, stored.kind, stored.edited_at],
        ['New', 'old', 'suggestion', edited_at],
      );
      assert.equal((await change(author, root.id, { body: 'new' })).body.body, 'new');
      const own = await change(reader, answered.id, { body: 'better', title: null });
      assert.deepEqual(
        [own.body.body, own.body.title, own.body.edited_at],
        ['better', null, edited_at],
      );

      for (const body of [{ body: 'x', audience: 'agents' }, { audience: 'public' }]) {
        assertBadField(await change(reader, answered.id, body), 'audience');
      }
      assertBadField(await change(reader, answered.id, { title: 'x', body: 'x' }), 'title');
      assertBadField(await change(reader, answered.id, { title: null }), 'body');
      for (const other of [reader, moderator]) {
        assertNo(await change(other, root.id, { body: 'x' }), [403, 'forbidden']);
      }
      assertNo(await change(reader, 4_000_000_000, { body: 'x' }), [404, 'not_found']);
      const nobody = await forum.api.call('PATCH', `/posts/${root.id}`, { body: { body: 'x' } });
      assertNo(nobody, [401, 'unauthorized']);
      await moderate(moderator, root.id, 'hidden');
      for (const [member, id] of [
        [author, root.id],
        [reader, answered.id],
        [reader, root.id],
      ] as const) {
        assertNo(await change(member, id, { body: 'x' }), [404, 'not_found']);
      }
      await moderate(moderator, root.id, 'active');
      assert.equal((await read(reader, root.id)).body.post.body, 'new');
      assert.equal((await read(reader, answered.id)).body.post.body, 'better');
    });

    it('a thread for agents is made public only while it has no replies [FORUM-143] [FORUM-145]', async () => {
      const author = await forum.member('author');
      const root = await post(author);
      const opened = await change(author, root.id, { audience: 'public' });
      assert.equal(opened.body.audience, 'public');
      assert.equal((await forum.api.call('GET', `/posts/${root.id}`)).status, 200);
      await change(author, root.id, { audience: 'agents' });
      const [first, second] = [await reply(reader, root), await reply(reader, root)];
      const open = (reply_count: number, also = {}) =>
        change(author, root.id, { audience: 'public', ...also }).then((answer) =>
          assertNo(answer, [409, 'thread_has_replies'], { reply_count }),
        );
      await open(2, { body: 'must not be stored' });
      await moderate(moderator, first.id, 'hidden');
      await remove(reader, second.id);
      await open(1);
      assert.equal((await read(author, root.id)).body.post.body, 'Its first text.');
      assert.equal((await change(author, root.id, { audience: 'agents' })).status, 200);
      // What is removed for good bars nothing.
      await remove(reader, first.id);
      assert.equal((await change(author, root.id, { audience: 'public' })).status, 200);
    });

    it('a public thread made private takes its replies with it at once, and does not come back [FORUM-144] [FORUM-145]', async () => {
      const author = await forum.member('author');
      const word = `w${author.id}secret`;
      const root = await post(author, { audience: 'public', body: `${word} root` });
      const answered = await reply(reader, root, `${word} reply`);
      const found = async (token?: string) => {
        const answer = await forum.api.call('GET', `/search?q=${word}`, token ? { token } : {});
        return answer.body.items.map(({ id }: { id: number }) => id).sort();
      };
      assert.deepEqual(await found(), [root.id, answered.id]);
      await change(author, root.id, { audience: 'agents' });
      for (const id of [root.id, answered.id]) {
        assertNo(await forum.api.call('GET', `/posts/${id}`), [404, 'not_found']);
        assert.equal((await read(reader, id)).body.post.audience, 'agents');
      }
      assert.deepEqual(await found(), []);
      assert.deepEqual(await found(reader.token), [root.id, answered.id]);
      assert.equal((await forum.api.fetch('GET', `/p/${root.id}`)).status, 404);
      assert.ok(!(await forum.api.fetch('GET', '/')).text.includes(`/p/${root.id}"`));
      const again = await change(author, root.id, { audience: 'public' });
      assertNo(again, [409, 'thread_has_replies'], { reply_count: 1 });
    });

    it('a post is removed by its author or by staff, a root with all its replies [FORUM-146] [FORUM-147] [FORUM-148]', async () => {
      const author = await forum.member('author');
      const root = await post(author, { audience: 'public' });
      const replies = [
        await reply(reader, root),
        await reply(author, root),
        await reply(reader, root),
      ];
      assertNo(await reader.call('DELETE', `/posts/${root.id}`), [403, 'forbidden']);
      const nobody = await forum.api.call('DELETE', `/posts/${root.id}`);
      assertNo(nobody, [401, 'unauthorized']);
      const [first, second, third] = replies.map(({ id }) => id);
      const alone = { deleted: true, id: first, replies_removed: 0 };
      assert.deepEqual(await remove(reader, first), alone);
      const { body } = await read(author, root.id);
      assert.deepEqual(
        body.replies.map(({ id }: { id: number }) => id),
        [second, third],
      );
      assert.equal(body.post.reply_count, 2);
      assertNo(await reader.call('DELETE', `/posts/${first}`), [404, 'not_found']);
      await moderate(moderator, third, 'hidden');
      assert.deepEqual(await remove(moderator, root.id), {
        ...{ deleted: true, id: root.id, replies_removed: 2 },
      });
      for (const id of [root.id, first, second, third]) {
        for (const member of [author, reader, moderator]) {
          assertNo(await read(member, id), [404, 'not_found']);
          assertNo(await member.call('DELETE', `/posts/${id}`), [404, 'not_found']);
        }
      }
      assertNo(await author.call('DELETE', '/posts/4000000000'), [404, 'not_found']);
      const lost = await create(author, { parent_id: root.id, body: 'x', audience: 'public' });
      assertNo(lost, [404, 'not_found']);
    });

    it('the author of a hidden post may remove it, and nobody else but staff learns of it [FORUM-147] [FORUM-165]', async () => {
      const author = await forum.member('author');
      const root = await post(author);
      const answered = await reply(reader, root);
      await moderate(moderator, root.id, 'hidden');
      assertNo(await reader.call('DELETE', `/posts/${root.id}`), [404, 'not_found']);
      // A reply in a hidden thread is its author's still.
      assert.equal((await remove(reader, answered.id)).replies_removed, 0);
      const { posts } = (await author.call('GET', '/me/export')).body;
      assert.deepEqual(
        posts.map(({ id, status, hidden_reason }: Record<string, unknown>) => [
          id,
          status,
          hidden_reason,
        ]),
        [[root.id, 'hidden', 'as the test wants it']],
      );
      assert.equal((await remove(author, root.id)).deleted, true);
    });

    it('each removal is in the audit trail with who, what and when [FORUM-149]', async () => {
      const author = await forum.member('author');
      const root = await post(author);
      const answered = await reply(reader, root);
      forum.house.clock.advance(7_000);
      await remove(moderator, answered.id);
      await remove(author, root.id);
      for (const [id, actor_role] of [
        [answered.id, 'moderator'],
        [root.id, 'member'],
      ]) {
        const { body } = await moderator.call('GET', `/moderation/posts/${id}`);
        const [{ at, action, target_kind, target_id, actor_audit_id, ...entry }] = body.audit;
        assert.deepEqual(
          { at, action, target_kind, target_id, actor_role: entry.actor_role, status: body.status },
          {
            ...{ at: Math.floor(forum.house.clock.now() / 1_000), action: 'post_removed' },
            ...{ target_kind: 'post', target_id: id, actor_role, status: 'deleted' },
          },
        );
        assert.match(actor_audit_id, /^\S{8,}$/);
        assert.deepEqual([body.title, body.body, body.author], [null, null, null]);
      }
      const { body } = await moderator.call('GET', `/moderation/posts/${answered.id}`);
      assert.equal(body.deleted_by, 'staff');
    });

    it('a reply that races with the end of its thread is under it or nowhere [FORUM-139]', async () => {
      const ends = [
        (author: Member, id: number) => author.call('DELETE', `/posts/${id}`),
        (author: Member, id: number) => change(author, id, { audience: 'agents' }),
      ];
      const repliers = [await forum.member('a'), await forum.member('b'), await forum.member('c')];
      for (const [turn, end] of ends.entries()) {
        const author = await forum.member('author');
        const word = `race${turn}x${author.id}`;
        const root = await post(author, { audience: 'public' });
        const body = { parent_id: root.id, body: word, audience: 'public' };
        const racing = repliers.flatMap((member, index) =>
          index === 1 ? [create(member, body), end(author, root.id)] : [create(member, body)],
        );
        const statuses = (await Promise.all(racing)).map(({ status }) => status);
        assert.ok(
          statuses.every((status) => [200, 201, 400, 404].includes(status)),
          statuses.join(),
        );
        const outside = await forum.api.call('GET', `/search?q=${word}`);
        assert.deepEqual(outside.body.items, []);
        assertNo(await forum.api.call('GET', `/posts/${root.id}`), [404, 'not_found']);
        const stored = statuses.filter((status) => status === 201).length;
        const { body: thread, status } = await read(author, root.id);
        if (turn === 0) assert.equal(status, 404);
        else {
          assert.equal(thread.post.reply_count, stored);
          for (const { audience } of thread.replies) assert.equal(audience, 'agents');
        }
      }
    });

    it('the tenth post or reply in ten minutes passes, the eleventh waits for the first to be ten minutes old [FORUM-271] [FORUM-277] [FORUM-278] [FORUM-279] [FORUM-281]', async () => {
      const author = await forum.member('author');
      const root = await post(author);
      const { clock } = forum.house;
      clock.advance(250);
      for (let count = 0; count < 8; count += 1) await reply(author, root);
      // What is refused is not counted.
      for (const body of [
        { title: 'x' },
        { parent_id: 4_000_000_000, body: 'x', audience: 'agents' },
      ]) {
        assert.ok((await create(author, body)).status >= 400);
      }
      const tenth = await reply(author, root);
      const once_more = () => create(author, { title: 'x', body: 'x' });
      assertTooMany(await once_more(), 'posts', 600);
      // What was removed was posted; an edit posts nothing.
      await remove(author, tenth.id);
      assert.equal((await change(author, root.id, { body: 'changed' })).status, 200);
      await forum.house.restart();
      assertTooMany(await once_more(), 'posts', 600);
      clock.advance(599_749);
      assertTooMany(await once_more(), 'posts', 1);
      clock.advance(1);
      assert.equal((await once_more()).status, 201);
      assertTooMany(await once_more(), 'posts', 1);
    });

    it('posts count for storage by their bytes, and give them back when they are removed [FORUM-109] [FORUM-110] [FORUM-111] [FORUM-112] [FORUM-115]', async () => {
      const quota_bytes = 1_000;
      const author = await forum.member('author', { quota_bytes });
      const replier = await forum.member('replier', { quota_bytes });
      const used = async (member: Member) => {
        const { storage } = (await member.call('GET', '/me')).body;
        assert.equal(storage.used_total, storage.used.posts);
        return storage.used.posts;
      };
      const root = await post(author, { title: 'é', body: '€'.repeat(300) });
      assert.equal(await used(author), 902);
      const answered = await reply(replier, root, 'x'.repeat(700));
      assert.equal(await used(replier), 700);
      const over = await create(author, { title: 'x', body: 'x'.repeat(98) });
      const storage = (await author.call('GET', '/me')).body.storage;
      assertNo(over, [507, 'storage_full'], { storage, needed: 99 });
      assert.equal(storage.remaining, 98);
      const exact = await post(author, { title: 'x', body: 'x'.repeat(97) });
      assert.equal(await used(author), quota_bytes);
      const longer = await change(author, root.id, { title: 'ééé' });
      assert.equal(longer.status, 507);
      assert.equal((await read(author, root.id)).body.post.title, 'é');
      assert.equal((await change(author, root.id, { title: 'ab' })).status, 200);
      assert.equal((await change(author, root.id, { title: 'a', body: 'b' })).status, 200);
      assert.equal(await used(author), 100);
      await moderate(moderator, exact.id, 'hidden');
      assert.equal(await used(author), 100);
      await remove(author, exact.id);
      assert.equal(await used(author), 2);
      await remove(moderator, root.id);
      assert.deepEqual([await used(author), await used(replier)], [0, 0]);
      assertNo(await read(replier, answered.id), [404, 'not_found']);
      assert.equal((await create(replier, { title: 'x', body: 'x'.repeat(999) })).status, 201);
    });

    it('of two posts for which there is room once, one is stored [FORUM-113]', async () => {
      const author = await forum.member('author', { quota_bytes: 150 });
      const both = await Promise.all(
        [1, 2].map(() => create(author, { title: 't', body: 'x'.repeat(99) })),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 507]);
      assert.equal((await author.call('GET', '/me')).body.storage.used.posts, 100);
    });
  });
});

if (engines.includes('sqlite')) {
  describe('the form of posts', () => {
    let forum: PostingForum;
    let author: Member;
    before(async () => {
      forum = await openPostingForum({ engine: 'sqlite' });
      author = await forum.member('author');
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());

    const fits = { title: 'A title', body: 'A body.' };
    const refused = async (given: Record<string, unknown>, field: string) => {
      const answer = await create(author, { ...fits, ...given });
      assertBadField(answer, field);
      forum.house.clock.advance(10_000);
    };

    it('a title has 1 to 180 characters, a body 1 to 12000 [FORUM-130] [FORUM-131]', async () => {
      for (const title of [
        'x'.repeat(181),
        '😀'.repeat(181),
        '',
        ' \u00a0 ',
        undefined,
        null,
        5,
        'a\nb',
      ]) {
        await refused({ title }, 'title');
      }
      for (const body of ['x'.repeat(12_001), '', ' \n\t', undefined, null, ['x'], 'a\u0000b']) {
        await refused({ body }, 'body');
      }
      const longest = { title: '😀'.repeat(180), body: `${'x'.repeat(11_999)}\n` };
      const { id } = await post(author, longest);
      const { post: stored } = (await read(author, id)).body;
      assert.deepEqual([stored.title, stored.body], [longest.title, longest.body]);
      for (const field of ['title', 'body'] as const) {
        const over = field === 'title' ? 'x'.repeat(181) : 'x'.repeat(12_001);
        assertBadField(await change(author, id, { [field]: over }), field);
        assertBadField(await change(author, id, { [field]: '' }), field);
        assertBadField(await change(author, id, { [field]: null }), field);
      }
      assert.equal((await change(author, id, { title: 'x'.repeat(180) })).status, 200);
    });

    it('characters that fit and bytes that do not answer 413 [FORUM-132]', async () => {
      const answer = await create(author, { title: 'x', body: '€'.repeat(12_000) });
      assert.deepEqual([answer.status, answer.body.error.code], [413, 'body_too_large']);
      assert.equal(
        (await author.call('GET', '/posts?limit=1')).body.items[0]?.title === 'x',
        false,
      );
    });

    it('kind and audience are one of two words each, and may be left out [FORUM-129] [FORUM-133]', async () => {
      for (const audience of ['all', '', 'Agents', 1, true])
        await refused({ audience }, 'audience');
      for (const kind of ['reply', '', 'Post', 1, false]) await refused({ kind }, 'kind');
      const { audience, kind } = await post(author, { audience: null, kind: null } as never);
      assert.deepEqual([audience, kind], ['agents', 'post']);
    });

    it('a reply has no title of its own, and its kind is not looked at [FORUM-134]', async () => {
      forum.rest();
      const root = await post(author);
      const draft = { parent_id: root.id, body: 'x', audience: 'agents' };
      assertBadField(await create(author, { ...draft, title: 'x' }), 'title');
      assertBadField(await create(author, { ...draft, title: 5 }), 'title');
      assertBadField(await create(author, { ...draft, body: ' ' }), 'body');
      for (const parent_id of ['1', 1.5, 0, -1, true, {}]) {
        assertBadField(await create(author, { ...draft, parent_id }), 'parent_id');
      }
      const answer = await create(author, { ...draft, title: null, kind: 'nonsense' });
      assert.deepEqual([answer.status, answer.body.kind], [201, null]);
      const no_parent = await create(author, { ...draft, parent_id: null, title: 'x' });
      assert.equal(no_parent.body.parent_id, null);
    });

    it('a change that changes nothing known is refused [FORUM-142]', async () => {
      const root = await post(author);
      for (const body of [{}, { kind: 'suggestion' }, { status: 'hidden' }]) {
        assertNo(await change(author, root.id, body), [400, 'bad_request']);
      }
      assertBadField(await change(author, root.id, { audience: null }), 'audience');
      assertBadField(await change(author, root.id, { audience: 'all' }), 'audience');
      assert.equal((await read(author, root.id)).body.post.edited_at, null);
    });

    it('a guest whose time is over changes and removes nothing [FORUM-141] [FORUM-146]', async () => {
      const guest = await forum.member('guest', { tier: 'guest' });
      const root = await post(guest, { audience: 'public' });
      forum.house.clock.advance(604_800_000);
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await guest.call(method, `/posts/${root.id}`, { body: { body: 'x' } });
        assertNo(answer, [401, 'unauthorized']);
      }
    });
  });
}
