import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertBadField, assertNo, type ForumReply } from '../../support/forum-api.ts';
import {
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  remove,
  reply,
} from '../../support/forum-posts.ts';

const reason = 'It breaks the policy.';

/** Who may not call a route, and what they are told. */
const strangers = [403, 'forbidden'] as const;

forEachEngine((engine) => {
  describe('moderation', () => {
    let forum: PostingForum;
    let author: Member;
    let moderator: Member;
    let administrator: Member;
    let owner: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      author = await forum.member('author');
      moderator = await forum.member('mod', { role: 'moderator' });
      administrator = await forum.member('admin', { role: 'administrator' });
      owner = await forum.member('second_owner', { role: 'owner' });
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());

    /** Declares what the engine has no part in, on one engine. */
    // What no engine makes different is tried on one.
    const is_first = engine === engines[0];

    const judge = (staff: Member, id: number, body: unknown) =>
      staff.call('POST', `/moderation/posts/${id}`, { body });
    const suspend = (staff: Member, id: number, status = 'suspended') =>
      staff.call('POST', `/moderation/accounts/${id}`, { body: { status, reason } });
    const inspect = async (id: number) => {
      const answer = await moderator.call('GET', `/moderation/posts/${id}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const file = async (member: Member, target: object) => {
      const body = { ...target, reason: 'It is worth a second look.' };
      const answer = await member.call('POST', '/reports', { body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.id as number;
    };

    if (is_first)
      it('members and strangers are refused alike, whatever the id [FORUM-159]', async () => {
        const root = await post(author);
        const report = await file(author, { post_id: root.id });
        const routes = [
          ['GET', '/moderation/reports'],
          ['POST', `/moderation/reports/${report}/resolve`],
          ['POST', '/moderation/reports/99999999/resolve'],
          ['GET', `/moderation/posts/${root.id}`],
          ['GET', '/moderation/posts/99999999'],
          ['POST', `/moderation/posts/${root.id}`],
          ['POST', '/moderation/posts/99999999'],
          ['POST', `/moderation/accounts/${author.id}`],
          ['POST', '/moderation/accounts/99999999'],
        ] as const;
        for (const [method, path] of routes) {
          const sent = method === 'POST' ? { body: { status: 'nonsense' } } : {};
          assertNo(await author.call(method, path, sent), strangers);
          assertNo(await forum.api.call(method, path, sent), [401, 'unauthorized']);
          const is_for_administrators = path.includes('/accounts/');
          const { status } = await moderator.call(method, path, sent);
          assert.equal(status === 403, is_for_administrators, `${method} ${path}: ${status}`);
        }
      });

    it('reports are listed newest first, by an exclusive cursor, at most 50 at once [FORUM-158] [FORUM-282]', async () => {
      const reporters = await Promise.all(
        Array.from({ length: 11 }, (_, index) => forum.member(`many_${index}`)),
      );
      const ids: number[] = [];
      for (const reporter of reporters) {
        for (let count = 0; count < 5; count += 1) {
          ids.push(await file(reporter, { account_id: author.id }));
        }
      }
      const first = await moderator.call('GET', '/moderation/reports');
      const newest = ids.toReversed();
      const idsOf = ({ body }: ForumReply) => body.items.map(({ id }: { id: number }) => id);
      assert.deepEqual(idsOf(first), newest.slice(0, 50));
      assert.equal(first.body.next_before, newest[49]);
      const next = await moderator.call('GET', `/moderation/reports?before=${newest[49]}&limit=5`);
      assert.deepEqual(idsOf(next), newest.slice(50, 55));
      const last = await moderator.call('GET', `/moderation/reports?before=2`);
      assert.equal(last.body.next_before, null);
      for (const query of ['before=abc', 'before=-1', 'limit=0', 'limit=51', 'before=1&before=2']) {
        const field = query.split('=', 1)[0] ?? '';
        assertBadField(await moderator.call('GET', `/moderation/reports?${query}`), field);
      }
    });

    it('a report is closed once, and by whom is told [FORUM-160] [FORUM-176]', async () => {
      const root = await post(author, { audience: 'public' });
      const id = await file(author, { post_id: root.id });
      const close = (key?: string) =>
        moderator.call('POST', `/moderation/reports/${id}/resolve`, {
          body: {},
          ...(key === undefined ? {} : { key }),
        });
      const closed = await close('close-1');
      assert.equal(closed.status, 200, closed.text);
      const resolved_at = Math.floor(forum.house.clock.now() / 1_000);
      assert.deepEqual(
        [closed.body.status, closed.body.resolved_at, closed.body.resolved_by],
        ['resolved', resolved_at, moderator.handle],
      );
      assert.equal(closed.body.post.reports[0].status, 'resolved');
      forum.house.clock.advance(5_000);
      const again = await administrator.call('POST', `/moderation/reports/${id}/resolve`);
      assert.deepEqual(again.body, closed.body);
      const repeated = await close('close-1');
      assert.equal(repeated.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(repeated.body, closed.body);
      assertNo(await moderator.call('POST', '/moderation/reports/99999999/resolve'), [
        404,
        'not_found',
      ]);
      // What is kept of the answer does not keep the words of the post.
      await remove(author, root.id);
      const { body } = await close('close-1');
      assert.deepEqual([body.post.status, body.post.body], ['deleted', null]);
    });

    it('staff see posts whatever became of them, with their replies [FORUM-161] [FORUM-149] [FORUM-178]', async () => {
      const root = await post(author, { title: 'Private', body: 'For agents alone.' });
      const replier = await forum.member('replier');
      const [first, second] = [await reply(replier, root, 'one'), await reply(author, root, 'two')];
      await moderate(moderator, first.id, 'hidden');
      await remove(author, second.id);
      const seen = await inspect(root.id);
      assert.deepEqual(
        [seen.title, seen.body, seen.status, seen.author, seen.reply_count],
        ['Private', 'For agents alone.', 'active', author.handle, 0],
      );
      assert.deepEqual(
        seen.replies.map((one: { id: number; status: string; body: string | null }) => [
          one.id,
          one.status,
          one.body,
        ]),
        [
          [first.id, 'hidden', 'one'],
          [second.id, 'deleted', null],
        ],
      );
      assert.equal(seen.next_after, null);
      const paged = await moderator.call('GET', `/moderation/posts/${root.id}?after=${first.id}`);
      assert.deepEqual(paged.body.replies.length, 1);
      const hidden = await inspect(first.id);
      assert.equal(hidden.hidden_reason, 'as the test wants it');
      assert.deepEqual(hidden.replies, []);

      await remove(moderator, root.id);
      const gone = await inspect(root.id);
      const removed_at = Math.floor(forum.house.clock.now() / 1_000);
      assert.deepEqual(
        [gone.status, gone.title, gone.body, gone.deleted_at, gone.deleted_by],
        ['deleted', null, null, removed_at, 'staff'],
      );
      const entry = gone.audit.at(-1);
      assert.deepEqual(
        [entry.action, entry.target_kind, entry.target_id, entry.at, entry.actor_role],
        ['post_removed', 'post', root.id, removed_at, 'moderator'],
      );
      assert.match(entry.actor_audit_id, /^au_/);
      const said = JSON.stringify([...gone.audit, ...hidden.audit]);
      for (const word of [author.handle, moderator.handle, 'Private', 'For agents alone.']) {
        assert.ok(!said.includes(word), word);
      }
      assertNo(await moderator.call('GET', '/moderation/posts/99999999'), [404, 'not_found']);
      assertBadField(await moderator.call('GET', '/moderation/posts/abc'), 'id');
    });

    if (is_first)
      it('a thread of more than 50 replies is read in pages by staff [FORUM-161] [FORUM-282]', async () => {
        const root = await post(author);
        const ids: number[] = [];
        for (let index = 0; index < 6; index += 1) {
          const replier = await forum.member('talker');
          for (let count = 0; count < 9; count += 1) ids.push((await reply(replier, root)).id);
        }
        const first = await inspect(root.id);
        const idsOf = (replies: { id: number }[]) => replies.map(({ id }) => id);
        assert.deepEqual(idsOf(first.replies), ids.slice(0, 50));
        assert.equal(first.next_after, ids[49]);
        const { body } = await moderator.call(
          'GET',
          `/moderation/posts/${root.id}?after=${first.next_after}`,
        );
        assert.deepEqual([idsOf(body.replies), body.next_after], [ids.slice(50), null]);
      });

    it('a hidden post is gone for all but staff, and comes back [FORUM-162] [FORUM-163] [FORUM-176]', async () => {
      const root = await post(author, { audience: 'public', title: 'A zebra' });
      const answer = await reply(author, root, 'stripes');
      const hide = await judge(moderator, root.id, { status: 'hidden', reason });
      assert.deepEqual(hide.body, { id: root.id, status: 'hidden', reason });
      for (const id of [root.id, answer.id]) {
        for (const reader of [author, moderator, owner]) {
          assertNo(await reader.call('GET', `/posts/${id}`), [404, 'not_found']);
        }
      }
      const found = async () => (await author.call('GET', '/search?q=zebra')).body.items.length;
      const page = async () => (await forum.api.fetch('GET', `/p/${root.id}`)).status;
      assert.deepEqual([await found(), await page()], [0, 404]);
      const again = await judge(moderator, root.id, { status: 'hidden', reason: 'Still so.' });
      assert.equal(again.status, 200);
      const back = await judge(administrator, root.id, { status: 'active', reason });
      assert.deepEqual(back.body, { id: root.id, status: 'active', reason });
      assert.deepEqual([await found(), await page()], [1, 200]);
      assert.equal((await author.call('GET', `/posts/${root.id}`)).body.replies.length, 1);
      const { audit, hidden_reason } = await inspect(root.id);
      assert.equal(hidden_reason, null);
      assert.deepEqual(
        audit.map((entry: { action: string; reason: string }) => [entry.action, entry.reason]),
        [
          ['post_hidden', reason],
          ['post_hidden', 'Still so.'],
          ['post_restored', reason],
        ],
      );
      await remove(author, root.id);
      for (const id of [root.id, 99_999_999]) {
        assertNo(await judge(moderator, id, { status: 'active', reason }), [404, 'not_found']);
      }
    });

    if (is_first)
      it('a status is one of two, a reason has 3 to 400 characters [FORUM-164] [FORUM-172]', async () => {
        const root = await post(author);
        const member = await forum.member('judged');
        const targets = [
          { path: `/moderation/posts/${root.id}`, statuses: ['hidden', 'active'] },
          { path: `/moderation/accounts/${member.id}`, statuses: ['suspended', 'active'] },
        ];
        for (const { path, statuses } of targets) {
          const send = (body: unknown) => administrator.call('POST', path, { body });
          for (const status of ['removed', 'deleted', '', 1, undefined]) {
            assertBadField(await send({ status, reason }), 'status');
          }
          const [status] = statuses;
          for (const wrong of ['xx', 'x'.repeat(401), '    ', undefined, 5]) {
            assertBadField(await send({ status, reason: wrong }), 'reason');
          }
          for (const fits of ['xxx', '🤖'.repeat(400)]) {
            assert.equal((await send({ status, reason: fits })).status, 200);
          }
          await send({ status: 'active', reason });
        }
      });

    it('a suspended member is shut out and is let in again with all it had [FORUM-166] [FORUM-167] [FORUM-174] [FORUM-175]', async () => {
      const member = await forum.member('shut');
      const root = await post(member, { audience: 'public' });
      await member.call('PUT', '/notes/plan', { body: { text: 'to be kept' } });
      const shut = await suspend(administrator, member.id);
      assert.deepEqual(shut.body, {
        ...{ id: member.id, handle: member.handle },
        ...{ status: 'suspended', reason },
      });
      const routes = [
        ['GET', '/me'],
        ['GET', '/posts'],
        ['POST', '/posts'],
        ['PATCH', '/me'],
        ['DELETE', '/me'],
        ['POST', '/me/token'],
        ['GET', '/notes/plan'],
      ] as const;
      for (const [method, path] of routes) {
        const sent = method === 'GET' ? {} : { body: { confirm: 'delete my account' } };
        assertNo(await member.call(method, path, sent), [401, 'account_suspended']);
      }
      assert.equal((await author.call('GET', `/posts/${root.id}`)).status, 200);
      assert.equal(
        (await author.call('GET', `/accounts/${member.handle}`)).body.status,
        'suspended',
      );
      assert.equal((await suspend(administrator, member.id)).status, 200);
      assert.equal((await suspend(owner, member.id, 'active')).status, 200);
      assert.equal((await member.call('GET', '/notes/plan')).body.text, 'to be kept');
      assert.equal((await member.call('GET', '/me')).body.status, 'active');
    });

    it('who may suspend whom goes by their roles [FORUM-168] [FORUM-169] [FORUM-170] [FORUM-171] [FORUM-172]', async () => {
      const other = await forum.member('other_mod', { role: 'moderator' });
      const peer = await forum.member('other_admin', { role: 'administrator' });
      const first_owner = 1;
      for (const target of [author.id, other.id, first_owner]) {
        assertNo(await suspend(moderator, target), strangers);
      }
      for (const target of [other.id, peer.id, administrator.id, first_owner, owner.id]) {
        for (const status of ['suspended', 'active']) {
          assertNo(await suspend(administrator, target, status), strangers);
        }
      }
      for (const target of [other, peer]) {
        assert.equal((await suspend(owner, target.id)).status, 200);
        assertNo(await target.call('GET', '/me'), [401, 'account_suspended']);
        assert.equal((await suspend(owner, target.id, 'active')).status, 200);
        assert.equal((await target.call('GET', '/me')).status, 200);
      }
      for (const target of [first_owner, owner.id]) {
        assertNo(await suspend(owner, target), strangers);
      }
      const leaver = await forum.member('leaver');
      await leaver.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      for (const id of [leaver.id, 99_999_999]) {
        assertNo(await suspend(owner, id), [404, 'not_found']);
      }
    });

    if (is_first)
      it('no route of the API changes a role [FORUM-173]', async () => {
        const member = await forum.member('climber');
        const root = await post(member);
        const tries: readonly [Member, string, string, object][] = [
          [member, 'PATCH', '/me', { bio: 'x', role: 'owner' }],
          [member, 'POST', '/posts', { title: 'x', body: 'x', role: 'moderator' }],
          [member, 'PATCH', `/posts/${root.id}`, { body: 'y', role: 'moderator' }],
          [
            owner,
            'POST',
            `/moderation/accounts/${member.id}`,
            { status: 'active', reason, role: 'moderator' },
          ],
          [owner, 'PATCH', '/me', { bio: 'x', role: 'member' }],
          [
            owner,
            'POST',
            `/moderation/posts/${root.id}`,
            { status: 'active', reason, role: 'member' },
          ],
        ];
        for (const [who, method, path, body] of tries) {
          const { status, text } = await who.call(method, path, { body });
          assert.ok(status < 300, text);
        }
        assert.equal((await member.call('GET', '/me')).body.role, 'member');
        assert.equal((await owner.call('GET', '/me')).body.role, 'owner');
        for (const path of [
          '/roles',
          `/accounts/${member.handle}/role`,
          `/accounts/${member.handle}`,
        ]) {
          for (const method of ['POST', 'PUT', 'PATCH']) {
            assertNo(await owner.call(method, path, { body: { role: 'moderator' } }), [
              404,
              'not_found',
            ]);
          }
        }
      });

    it('a parallel change of mind leaves one status and an entry for each [FORUM-176]', async () => {
      const root = await post(author);
      const statuses = ['hidden', 'active', 'hidden', 'active', 'hidden', 'active'];
      const answers = await Promise.all(
        statuses.map((status) => judge(moderator, root.id, { status, reason })),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const { audit, status, reply_count } = await inspect(root.id);
      assert.equal(audit.length, statuses.length);
      const last = audit.at(-1).action;
      assert.equal(status, last === 'post_hidden' ? 'hidden' : 'active');
      assert.equal(reply_count, 0);
    });
  });
});
