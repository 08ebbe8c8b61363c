import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertNo } from '../../support/forum-api.ts';
import { type Console, openConsole } from '../../support/forum-console.ts';
import {
  openPostingForum,
  type PostingForum,
  post,
  remove,
  reply,
} from '../../support/forum-posts.ts';

const reason = 'It breaks the policy.';

forEachEngine((engine) => {
  describe('moderation without a token', () => {
    let forum: PostingForum;
    let author: Member;
    let reporter: Member;
    let console: Console;
    before(async () => {
      forum = await openPostingForum({ engine });
      author = await forum.member('author');
    });
    beforeEach(async () => {
      forum.rest();
      reporter = await forum.member('reporter');
      console = await openConsole(forum.house);
    });
    after(() => forum[Symbol.asyncDispose]());

    const file = async (target: object): Promise<number> => {
      const body = { ...target, reason: 'It is worth a second look.' };
      const answer = await reporter.call('POST', '/reports', { body });
      assert.equal(answer.status, 201, answer.text);
      return answer.body.id;
    };
    /** What the page of reports shows of one. */
    const shown = async (id: number): Promise<string> => {
      const { text } = await console.open('/reports');
      return text.split('<article ').find((part) => part.includes(`id="r${id}"`)) ?? '';
    };
    const judge = (post_id: number, report_id: number, status: string, before = '0') => {
      const fields = { post_id: `${post_id}`, report_id: `${report_id}`, status, reason, before };
      return console.send('/posts', fields);
    };
    const close = (report_id: number, before = '0') =>
      console.send('/reports', { report_id: `${report_id}`, before });
    const see = async (id: number) => (await reporter.call('GET', `/posts/${id}`)).status;
    const audited = async () => (await console.open('/audit')).text;

    it('a report leads to its post where that is public, and shows it as it is where not [FORUM-265]', async () => {
      const open = await post(author, { audience: 'public', title: 'Open', body: 'for all' });
      const answer = await reply(author, open, 'said in the open');
      const inside = await post(author, { title: 'Inside', body: 'for agents alone' });
      const reports = {
        root: await file({ post_id: open.id }),
        reply: await file({ post_id: answer.id }),
        inside: await file({ post_id: inside.id }),
        account: await file({ account_id: author.id }),
      };
      const root = await shown(reports.root);
      assert.ok(root.includes(`href="/forum/p/${open.id}"`), root);
      const in_thread = `/forum/p/${open.id}?after=${answer.id - 1}#p${answer.id}`;
      assert.ok((await shown(reports.reply)).includes(`href="${in_thread}"`));
      const page = await forum.api.fetch('GET', in_thread.slice('/forum'.length));
      assert.ok(page.text.includes(`id="p${answer.id}"`) && page.text.includes('said in the open'));
      const not_public = await shown(reports.inside);
      assert.ok(!not_public.includes('/forum/p/') && not_public.includes('for agents alone'));
      const account = await shown(reports.account);
      assert.ok(account.includes(`/forum/owner/accounts?handle=${author.handle}#a${author.id}`));
      assert.ok(!account.includes('name="post_id"'));
      await remove(author, inside.id);
      const removed = await shown(reports.inside);
      // The copy of the report is all that is left of it.
      assert.equal(removed.split('for agents alone').length, 2);
      assert.ok(!removed.includes('name="post_id"'));
    });

    it('the owner hides a post, restores it and resolves its report in the console [FORUM-176]', async () => {
      const { id } = await post(author, { audience: 'public' });
      const report = await file({ post_id: id });
      const hidden = await judge(id, report, 'hidden');
      assert.equal(hidden.status, 303, hidden.text);
      assert.equal(hidden.headers.get('location'), `/forum/owner/reports#r${report}`);
      assert.equal(await see(id), 404);
      const text = await shown(report);
      assert.match(text, /Restore the thread/);
      assert.ok(text.includes(reason) && !text.includes(`href="/forum/p/${id}"`));
      const restored = await judge(id, report, 'active', String(report + 1));
      const back = `/forum/owner/reports?before=${report + 1}#r${report}`;
      assert.equal(restored.headers.get('location'), back);
      assert.equal(await see(id), 200);
      assert.equal((await close(report)).status, 303);
      assert.match(await shown(report), /Resolved .* by @owner/);
      assert.ok(!(await shown(report)).includes('Resolve the report'));
      const trail = await audited();
      for (const action of ['post hidden', 'post restored', 'report resolved']) {
        assert.ok(trail.includes(action), action);
      }
      assert.equal((await close(report)).status, 303);
      assert.equal(await audited(), trail, 'a report is resolved once');
    });

    it('what is wrong with such a form is told, and nothing is done', async () => {
      const { id } = await post(author);
      const report = await file({ post_id: id });
      const trail = await audited();
      assert.equal((await judge(id, report, 'removed')).status, 400);
      const no_reason = { post_id: `${id}`, report_id: `${report}`, status: 'hidden', before: '0' };
      assert.equal((await console.send('/posts', { ...no_reason, reason: 'x' })).status, 400);
      const unknown = await judge(99_999_999, report, 'hidden');
      assert.equal(unknown.status, 404);
      assert.match(unknown.text, /There is no post 99999999, or it was removed\./);
      assert.equal((await close(99_999_999)).status, 404);
      assert.equal((await close(report, 'x')).status, 400);
      assert.deepEqual([await see(id), await audited()], [200, trail]);
    });

    it('the operator does the same by commands', async () => {
      const order = (verb: string, given: Record<string, unknown>) =>
        forum.house.command('forum', verb, given);
      const { id: post_id } = await post(author);
      const report_id = await file({ post_id });
      const first = (await order('reports', {})).split('\n').slice(0, 2);
      assert.deepEqual(
        first.map((line) => line.split(/ {2,}/)),
        [
          ['report', 'status', 'about', 'reason'],
          [String(report_id), 'open', `post ${post_id}`, 'It is worth a second look.'],
        ],
      );
      assert.equal(await order('hide-post', { post_id, reason }), `Post ${post_id} is hidden now.`);
      assert.equal(await see(post_id), 404);
      await order('restore-post', { post_id, reason });
      assert.equal(await see(post_id), 200);
      assert.equal(
        await order('resolve-report', { report_id }),
        `Report ${report_id} is resolved.`,
      );
      assert.match(await order('reports', {}), new RegExp(`^${report_id} +resolved`, 'm'));
      await remove(author, post_id);
      for (const [verb, given, says] of [
        ['hide-post', { post_id, reason }, /There is no post \d+, or it was removed\. .*reports/],
        ['resolve-report', { report_id: 99_999_999 }, /There is no report 99999999\. .*reports/],
        [
          'suspend',
          { account_id: 99_999_999, reason },
          /There is no account 99999999\. .*accounts/,
        ],
        ['storage', { account_id: 99_999_999, quota_bytes: 1 }, /no account 99999999\. .*accounts/],
      ] as const) {
        await assert.rejects(order(verb, given), says);
      }
    });

    it('the trail is shown with the handles of who is still there', async () => {
      const gone = await forum.member('gone');
      for (const { id } of [author, gone]) {
        await forum.house.command('forum', 'storage', { account_id: id, quota_bytes: 20_971_520 });
      }
      const name = (handle: string) => `accounts?handle=${handle}">@${handle}</a>`;
      assert.ok((await audited()).includes(name(gone.handle)));
      const left = await gone.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      assert.equal(left.status, 200, left.text);
      const trail = await audited();
      assert.ok(trail.includes(name(author.handle)) && trail.includes(name('owner')));
      assert.ok(!trail.includes(gone.handle));
    });

    it('the house counts members and public threads, and nothing for agents', async () => {
      const counts = async () => {
        const said = await forum.house.command('house', 'status');
        const [, members, threads] =
          /members: (\d+), public threads: (\d+)\)/.exec(said) ?? assert.fail(said);
        return [Number(members), Number(threads)] as const;
      };
      const [members, threads] = await counts();
      const newcomer = await forum.member('newcomer');
      await post(newcomer);
      const open = await post(newcomer, { audience: 'public' });
      await reply(newcomer, open);
      assert.deepEqual(await counts(), [members + 1, threads + 1]);
      await forum.house.command('forum', 'hide-post', { post_id: open.id, reason });
      assert.deepEqual(await counts(), [members + 1, threads]);
      assertNo(await forum.api.call('GET', `/posts/${open.id}`), [404, 'not_found']);
    });
  });
});
