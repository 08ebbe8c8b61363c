import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';
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

const reason = 'It is worth a second look.';
const file = (member: Member, body: unknown) => member.call('POST', '/reports', { body });

forEachEngine((engine) => {
  describe('reports', () => {
    let forum: PostingForum;
    let author: Member;
    let moderator: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      author = await forum.member('author');
      moderator = await forum.member('mod', { role: 'moderator' });
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());
    const seen = async (id: number) => {
      const { body } = await moderator.call('GET', `/moderation/reports?before=${id + 1}&limit=1`);
      return body.items[0];
    };

    it('a report about a post or an account is filed with a copy for staff [FORUM-153] [FORUM-179]', async () => {
      const reporter = await forum.member('reporter');
      const root = await post(author, { title: 'Odd', body: 'An odd text.' });
      const created_at = Math.floor(forum.house.clock.now() / 1_000);
      const about_post = await file(reporter, { post_id: root.id, reason });
      assert.equal(about_post.status, 201, about_post.text);
      const { id } = about_post.body;
      const open = { status: 'open', created_at };
      assert.deepEqual(about_post.body, { id, ...open, post_id: root.id, account_id: null });
      const about_account = await file(reporter, { account_id: author.id, post_id: null, reason });
      assert.equal(about_account.status, 201, about_account.text);
      assert.ok(about_account.body.id > id);
      const report = await seen(id);
      assert.deepEqual(report.snapshot, { title: 'Odd', body: 'An odd text.' });
      assert.deepEqual([report.reporter_id, report.reporter], [reporter.id, reporter.handle]);
      assert.deepEqual([report.account, report.post.id], [null, root.id]);
      const other = await seen(about_account.body.id);
      assert.deepEqual(other.account, {
        id: author.id,
        handle: author.handle,
        status: 'active',
      });
      assert.deepEqual(other.snapshot, {
        handle: author.handle,
        display_name: `The agent ${author.handle}`,
        bio: '',
      });
      assert.equal(other.post, null);
    });

    it('exactly one target and a reason of 10 to 1200 characters are taken [FORUM-153] [FORUM-154]', async () => {
      const reporter = await forum.member('reporter');
      const { id: post_id } = await post(author);
      assertBadField(await file(reporter, { reason }), 'post_id');
      assertBadField(await file(reporter, { reason, post_id: null }), 'post_id');
      const both = { post_id, account_id: author.id, reason };
      assertNo(await file(reporter, both), [400, 'bad_request'], { field: 'account_id' });
      for (const wrong of ['x'.repeat(9), 'x'.repeat(1_201), ' '.repeat(20), 7, null, undefined]) {
        assertBadField(await file(reporter, { post_id, reason: wrong }), 'reason');
      }
      for (const wrong of ['1', 1.5, 0, true]) {
        assertBadField(await file(reporter, { post_id: wrong, reason }), 'post_id');
      }
      for (const fits of ['x'.repeat(10), '🤖'.repeat(1_200)]) {
        assert.equal((await file(reporter, { post_id, reason: fits })).status, 201);
      }
    });

    it('what the reporter cannot see is not found [FORUM-155]', async () => {
      const reporter = await forum.member('reporter');
      const [hidden, gone] = [await post(author), await post(author)];
      const under_hidden = await reply(author, hidden);
      await moderate(moderator, hidden.id, 'hidden');
      await remove(author, gone.id);
      const leaver = await forum.member('leaver');
      await leaver.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      for (const target of [
        { post_id: hidden.id },
        { post_id: under_hidden.id },
        { post_id: gone.id },
        { post_id: 999_999_999 },
        { account_id: leaver.id },
        { account_id: 999_999_999 },
      ]) {
        assertNo(await file(reporter, { ...target, reason }), [404, 'not_found']);
      }
      assertNo(await forum.api.call('POST', '/reports', { body: { account_id: 1, reason } }), [
        401,
        'unauthorized',
      ]);
    });

    it('reports change nothing and are told to nobody but staff [FORUM-156] [FORUM-157]', async () => {
      const told = await forum.member('told');
      const root = await post(told, { audience: 'public' });
      for (const name of ['one', 'two', 'three']) {
        const reporter = await forum.member(name);
        assert.equal((await file(reporter, { post_id: root.id, reason })).status, 201);
        assert.equal((await file(reporter, { account_id: told.id, reason })).status, 201);
      }
      const { post: still } = (await told.call('GET', `/posts/${root.id}`)).body;
      assert.equal(still.status, 'active');
      assert.equal((await told.call('GET', '/me')).body.status, 'active');
      for (const path of ['/me', `/posts/${root.id}`, '/me/digest?since=0', '/me/export']) {
        const { text } = await told.call('GET', path);
        assert.ok(!text.includes(reason) && !text.includes('one_'), path);
      }
    });

    it('the fifth report in an hour is filed, the sixth is not, and refused ones do not count [FORUM-272] [FORUM-279] [FORUM-281]', async () => {
      const reporter = await forum.member('eager');
      const target = { account_id: author.id, reason };
      for (const wrong of [
        { ...target, reason: 'short' },
        { post_id: 999_999_999, reason },
      ]) {
        for (let count = 0; count < 3; count += 1) await file(reporter, wrong);
      }
      for (let count = 0; count < 5; count += 1) {
        assert.equal((await file(reporter, target)).status, 201);
        forum.house.clock.advance(60_000);
      }
      assertTooMany(await file(reporter, target), 'reports', 3_300);
      await forum.house.restart();
      assertTooMany(await file(reporter, target), 'reports', 3_300);
      assert.equal((await file(author, { account_id: reporter.id, reason })).status, 201);
      forum.house.clock.advance(3_300_000);
      assert.equal((await file(reporter, target)).status, 201);
      assertTooMany(await file(reporter, target), 'reports', 60);
    });

    it('a repeated report with one key is one report', async () => {
      const reporter = await forum.member('repeats');
      const sent = { body: { account_id: author.id, reason }, key: 'report-1' };
      const [first, second] = [
        await reporter.call('POST', '/reports', sent),
        await reporter.call('POST', '/reports', sent),
      ];
      assert.deepEqual([first.status, second.status], [201, 201]);
      assert.equal(second.text, first.text);
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
    });

    it('a copy outlives its post and its author, until 90 days after the report is closed [FORUM-179] [FORUM-095]', async () => {
      const reporter = await forum.member('reporter');
      const leaver = await forum.member('leaver');
      const root = await post(leaver, { title: 'Kept', body: 'A text that outlives its author.' });
      const { id } = (await file(reporter, { post_id: root.id, reason })).body;
      await leaver.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      const { post: left, snapshot } = await seen(id);
      assert.deepEqual(snapshot, { title: 'Kept', body: 'A text that outlives its author.' });
      assert.deepEqual(
        [left.status, left.title, left.body, left.author, left.author_display_name],
        ['deleted', null, null, null, null],
      );
      assert.equal(left.deleted_by, 'account_deleted');
      assert.match(left.author_audit_id, /./);
      assert.deepEqual(left.reports[0].snapshot, snapshot);
      const inspected = await moderator.call('GET', `/moderation/posts/${root.id}`);
      assert.deepEqual(inspected.body.reports[0].snapshot, snapshot);

      await moderator.call('POST', `/moderation/reports/${id}/resolve`, { body: {} });
      forum.house.clock.advance((90 * 86_400 - 1) * 1_000);
      assert.deepEqual((await seen(id)).snapshot, snapshot);
      forum.house.clock.advance(1_000);
      assert.equal((await seen(id)).snapshot, null);
      assert.equal((await seen(id)).reason, reason);
      // Nor does the database hold it, once the next sweep has passed.
      forum.house.clock.advance(3_600_000);
      const { read } = forum.house.house.deps;
      const row = () =>
        read.selectFrom('forum_report').select('snapshot').where('id', '=', id).executeTakeFirst();
      await eventually(async () => assert.equal((await row())?.snapshot, null));
    });
  });
});
