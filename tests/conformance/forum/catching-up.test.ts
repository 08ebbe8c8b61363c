import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertBadField, assertNo } from '../../support/forum-api.ts';
import {
  fillPosts,
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  remove,
  reply,
} from '../../support/forum-posts.ts';
import { startServer } from '../../support/serve.ts';

type Item = { id: number };
const ids = (items: Item[]) => items.map(({ id }) => id);

async function digest(member: Member, query = '') {
  const answer = await member.call('GET', `/me/digest${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const seen = (member: Member, cursor: unknown) =>
  member.call('POST', '/me/digest/seen', { body: { cursor } });

/** What is in each list of a digest, by ids. */
const lists = (body: { replies: Item[]; mentions: Item[]; threads: Item[] }) => ({
  replies: ids(body.replies),
  mentions: ids(body.mentions),
  threads: ids(body.threads),
});

forEachEngine((engine) => {
  describe('catching up', () => {
    let forum: PostingForum;
    let moderator: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      moderator = await forum.member('mod', { role: 'moderator' });
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());

    it('a digest holds replies in my threads, mentions of me and new threads, by others [FORUM-209] [FORUM-210] [FORUM-211]', async () => {
      const other = await forum.member('other');
      await post(other, { title: 'From before' });
      const me = await forum.member('me');
      const nothing = await digest(me);
      assert.deepEqual(nothing, {
        ...{ since: nothing.since, cursor: nothing.since, more: false, inbox: [], unread: 0 },
        ...{ replies: [], mentions: [], threads: [] },
      });
      const mine = await post(me, { title: `Mine, by @${me.handle}`, audience: 'public' });
      const body = `${'word '.repeat(100)}@${me.handle}`;
      const answered = await reply(other, mine, body);
      await reply(me, mine, `@${me.handle} says so`);
      const theirs = await post(other, { title: `For @${me.handle.toUpperCase()}` });
      const elsewhere = await reply(moderator, theirs, 'nothing of interest');
      const hidden = await post(other, { title: `@${me.handle} hidden` });
      const gone = await post(other, { title: `@${me.handle} gone` });
      await moderate(moderator, hidden.id, 'hidden');
      await remove(other, gone.id);
      const caught = await digest(me);
      assert.deepEqual(lists(caught), {
        replies: [answered.id],
        mentions: [answered.id, theirs.id],
        threads: [theirs.id],
      });
      const [{ snippet, ...brief }] = caught.replies;
      assert.deepEqual(brief, {
        id: answered.id,
        thread_id: mine.id,
        title: `Mine, by @${me.handle}`,
        author: other.handle,
        author_id: other.id,
        audience: 'public',
        created_at: Math.floor(forum.house.clock.now() / 1_000),
      });
      assert.ok(snippet.startsWith('word word') && [...snippet].length <= 200);
      assert.equal(caught.threads[0].title, `For @${me.handle.toUpperCase()}`);
      assert.ok(!ids(caught.replies).includes(elsewhere.id));
      await moderate(moderator, hidden.id, 'active');
      assert.deepEqual(ids((await digest(me)).threads), [theirs.id, hidden.id]);
    });

    it('the next digest starts where the last was marked as seen, which never goes back [FORUM-212] [FORUM-213] [FORUM-216]', async () => {
      const [me, other] = [await forum.member('me'), await forum.member('other')];
      const first = await post(other);
      const one = await digest(me);
      assert.deepEqual(await digest(me), one);
      assert.deepEqual(ids(one.threads), [first.id]);
      const second = await post(other);
      const marked = await seen(me, one.cursor);
      assert.deepEqual([marked.status, marked.body], [200, { cursor: one.cursor }]);
      const two = await digest(me);
      assert.deepEqual([two.since, ids(two.threads)], [one.cursor, [second.id]]);
      // Looking from elsewhere leaves the mark where it is.
      const again = await digest(me, `?since=${one.since}`);
      assert.deepEqual(ids(again.threads), [first.id, second.id]);
      assert.equal((await digest(me, '?since=0')).since, 0);
      assert.equal((await digest(me)).since, one.cursor);
      assert.deepEqual((await seen(me, 0)).body, { cursor: one.cursor });
      assert.deepEqual((await seen(me, two.cursor)).body, { cursor: two.cursor });
      assert.deepEqual((await seen(me, two.cursor)).body, { cursor: two.cursor });
      assert.deepEqual((await digest(me)).threads, []);
      assertBadField(await seen(me, two.cursor + 1), 'cursor');
      for (const cursor of ['1', 1.5, -1, null, undefined, true, 2 ** 60]) {
        assertBadField(await seen(me, cursor), 'cursor');
      }
      for (const since of ['x', '-1', '1.5', '']) {
        assertBadField(await me.call('GET', `/me/digest?since=${since}`), 'since');
      }
      const ahead = await digest(me, `?since=${two.cursor + 50}`);
      assert.deepEqual([ahead.cursor, ahead.more], [two.cursor + 50, false]);
    });

    it('more than two hundred entries come in steps that miss and repeat none, also while others write [FORUM-214] [FORUM-215] [FORUM-282]', async () => {
      const reader = await forum.member('reader');
      // Two hundred are the room's own bound; on PostgreSQL what counts is the order of commits.
      const writers = engine === 'sqlite' ? 21 : 6;
      const authors = await Promise.all(
        Array.from({ length: writers }, () => forum.member('writer')),
      );
      const made = new Set<number>();
      let is_over = false;
      const writing = Promise.all(
        authors.map(async (author, turn) => {
          const root = await post(author);
          made.add(root.id);
          for (let count = 0; count < 9; count += 1) {
            // Replies count as entries, and are in no list of a stranger to the thread.
            if ((turn + count) % 3 === 0) await reply(author, root);
            else made.add((await post(author)).id);
          }
        }),
      ).then(() => {
        is_over = true;
      });
      const found: number[] = [];
      let cursor = (await digest(reader)).since;
      for (;;) {
        const over_before = is_over;
        const step = await digest(reader, `?since=${cursor}`);
        found.push(...ids(step.threads));
        assert.ok(step.cursor >= cursor && step.cursor - cursor <= 200);
        cursor = step.cursor;
        if (over_before && !step.more) break;
        forum.house.clock.advance(1);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await writing;
      assert.deepEqual(
        found.sort((a, b) => a - b),
        [...made].sort((a, b) => a - b),
      );

      if (engine === 'postgres') return;
      const whole = await digest(reader);
      assert.equal(whole.more, true);
      assert.equal(whole.cursor - whole.since, 200);
      const rest = await digest(reader, `?since=${whole.cursor}`);
      assert.deepEqual([rest.more, rest.cursor], [false, cursor]);
      assert.deepEqual(
        [...ids(whole.threads), ...ids(rest.threads)].sort((a, b) => a - b),
        found,
      );
    });

    it('an export holds all that is mine and nothing of others [FORUM-217] [FORUM-218]', async () => {
      const [me, other] = [await forum.member('me'), await forum.member('other')];
      const root = await post(me, { title: 'My thread', body: 'mine "quoted" \n\u2028' });
      await reply(other, root, 'the words of another');
      const theirs = await post(other, { title: 'Their thread', body: 'their words' });
      const answered = await reply(me, theirs, 'my reply');
      const gone = await post(me, { title: 'removed by me' });
      await remove(me, gone.id);
      await moderate(moderator, answered.id, 'hidden');
      for (const name of ['b/two', 'a']) {
        const body = { text: `note ${name}`, tags: ['kept'] };
        assert.equal((await me.call('PUT', `/notes/${name}`, { body })).status, 201);
      }
      const answer = await me.call('GET', '/me/export');
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const { posts, notes, profile, exported_at, ...rest } = answer.body;
      assert.equal(exported_at, Math.floor(forum.house.clock.now() / 1_000));
      assert.deepEqual(profile, (await me.call('GET', '/me')).body);
      const own = (await me.call('GET', `/posts/${root.id}`)).body.post;
      assert.deepEqual(posts[0], own);
      assert.deepEqual(
        posts.map(({ id, status, hidden_reason, body }: Record<string, unknown>) => [
          ...[id, status, hidden_reason, body],
        ]),
        [
          [root.id, 'active', undefined, own.body],
          [answered.id, 'hidden', 'as the test wants it', 'my reply'],
        ],
      );
      assert.deepEqual(notes[0], (await me.call('GET', '/notes/a')).body);
      assert.deepEqual(
        notes.map(({ name }: { name: string }) => name),
        ['a', 'b/two'],
      );
      const empty = { rules: [], inbox: [], agent_jobs: [], sandbox_files: [], timers: [] };
      assert.deepEqual(rest, empty);
      assert.ok(!answer.text.includes(me.token));
      for (const foreign of [other.handle, 'the words of another', 'their words']) {
        assert.ok(!answer.text.includes(foreign), foreign);
      }
      assertNo(await forum.api.call('GET', '/me/export'), [401, 'unauthorized']);
      // What others said in a thread that is lost stays theirs.
      const gone_thread = await post(me);
      const kept = await reply(other, gone_thread, 'kept in a lost thread');
      const body = { confirm: 'delete my account' };
      assert.equal((await me.call('DELETE', '/me', { body })).status, 200);
      assertNo(await other.call('GET', `/posts/${kept.id}`), [404, 'not_found']);
      const { posts: others } = (await other.call('GET', '/me/export')).body;
      assert.ok(ids(others).includes(kept.id));
      assert.equal((await remove(other, kept.id)).deleted, true);
    });
  });
});

if (engines.includes('sqlite')) {
  describe('mentions', () => {
    let forum: PostingForum;
    before(async () => {
      forum = await openPostingForum({ engine: 'sqlite' });
    });
    after(() => forum[Symbol.asyncDispose]());

    it('a mention is a whole handle in any case of letters, outside of addresses and other names [FORUM-151] [FORUM-152]', async () => {
      const [me, author] = [await forum.member('me'), await forum.member('author')];
      const { handle } = me;
      const named = [
        ...[
          `@${handle}`,
          `@${handle}.`,
          `(@${handle})`,
          `@${handle}-`,
          `hi @${handle.toUpperCase()}!`,
        ],
        ...[`é@${handle}`, `\n@${handle}\n`, `@nobody_at_all @${handle}`, `,@${handle}é`],
      ];
      const not = [
        ...[
          `a@${handle}.org`,
          `@${handle}2`,
          `@${handle}_x`,
          `@@${handle}`,
          `/@${handle}`,
          `.@${handle}`,
        ],
        ...[
          `-@${handle}`,
          `_@${handle}`,
          `7@${handle}`,
          handle,
          `@ ${handle}`,
          `＠${handle}`,
          `@${handle.slice(1)}`,
        ],
      ];
      const wanted: number[] = [];
      for (const [index, text] of [...named, ...not].entries()) {
        if (index % 9 === 8) forum.rest();
        const said = index % 2 === 0 ? { body: text } : { title: text.trim() };
        const { id } = await post(author, said);
        if (index < named.length) wanted.push(id);
      }
      assert.deepEqual(ids((await digest(me)).mentions), wanted);
    });

    it('the first twenty others that are there are mentioned, and an edit mentions nobody [FORUM-151]', async () => {
      const author = await forum.member('author');
      const many = await Promise.all(Array.from({ length: 21 }, () => forum.member('many')));
      const late = await forum.member('late');
      const suspended = await forum.member('out', { status: 'suspended' });
      const strangers = Array.from({ length: 60 }, (_, index) => `@nobody_${index}`).join(' ');
      const names = [author, suspended, ...many].map(({ handle }) => `@${handle}`).join(' ');
      const first = many[0]?.handle;
      const { id } = await post(author, { title: `@${first}`, body: `${strangers} ${names}` });
      for (const [index, member] of many.entries()) {
        assert.deepEqual(ids((await digest(member)).mentions), index < 20 ? [id] : []);
      }
      assert.deepEqual(ids((await digest(author)).mentions), []);
      await author.call('PATCH', `/posts/${id}`, { body: { body: `@${late.handle}` } });
      assert.deepEqual(ids((await digest(late)).mentions), []);
      assert.deepEqual(ids((await digest(many[0] as Member)).mentions), [id]);
    });
  });

  it('an export of much comes whole, and one at a time until its client has it or goes away [FORUM-217] [FORUM-218]', async () => {
    await using forum = await openPostingForum({ engine: 'sqlite' });
    const [me, other] = [await forum.member('me'), await forum.member('other')];
    const made = await fillPosts(forum.house, me, 800);
    const { body } = await me.call('GET', '/me/export');
    assert.deepEqual(ids(body.posts), made);
    // A server as it is in production; in tests it reads its own streams to hold them to their schema.
    await forum.house.house.close();
    await using server = await startServer({ flags: ['--data', forum.house.data] });
    const gone = new AbortController();
    const ask = ({ token }: Member, signal?: AbortSignal) =>
      fetch(`${server.base}/forum/api/v1/me/export`, {
        headers: { authorization: `Bearer ${token}` },
        ...(signal ? { signal } : {}),
      });
    const unread = await ask(me, gone.signal);
    assert.equal(unread.status, 200);
    const second = await ask(me);
    const { error } = JSON.parse(await second.text());
    assert.deepEqual(
      [second.status, error.code, error.limit, error.retry_after],
      [429, 'rate_limited', 'export_running', 5],
    );
    assert.equal(second.headers.get('retry-after'), '5');
    const others = await ask(other);
    assert.deepEqual([others.status, (await others.json()).posts], [200, []]);
    gone.abort();
    let tries_left = 200;
    let third = await ask(me);
    while (third.status === 429) {
      tries_left -= 1;
      assert.ok(tries_left > 0, 'what was broken off is over');
      await third.text();
      await new Promise((resolve) => setTimeout(resolve, 20));
      third = await ask(me);
    }
    assert.deepEqual(ids((await third.json()).posts), made);
  });
}
