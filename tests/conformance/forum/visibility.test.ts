import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import {
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  readAll,
  remove,
  reply,
} from '../../support/forum-posts.ts';

/** A post as this test knows it; its word stands in no other. */
type Known = {
  readonly id: number;
  readonly root: Known | undefined;
  readonly author: Member;
  readonly word: string;
  audience: 'agents' | 'public';
  status: 'active' | 'hidden' | 'removed';
};

/** Draws the same numbers in every run. */
function drawer(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Whether a reader may see a post, from the definition: it and its thread are active, and it is for the reader. */
function isVisible({ root, status, audience }: Known, reader: Member | undefined): boolean {
  const thread = root ?? { status, audience };
  const is_for_reader = thread.audience === 'public' || reader !== undefined;
  return status === 'active' && thread.status === 'active' && is_for_reader;
}

/** Does one thing after another that changes who sees what, as the draw says. */
async function makeHistory(
  forum: PostingForum,
  authors: readonly Member[],
  moderator: Member,
  { draw, steps }: { draw: (bound: number) => number; steps: number },
): Promise<Known[]> {
  const known: Known[] = [];
  const pick = (fits: (one: Known) => boolean) => {
    const among = known.filter(fits);
    return among[draw(among.length)];
  };
  const begin = async () => {
    const author = authors[draw(authors.length)] as Member;
    const audience = draw(2) === 0 ? 'public' : 'agents';
    const word = `word${known.length}q`;
    const title = `Title of ${word}`;
    const { id } = await post(author, { audience, title, body: `It says ${word}.` });
    known.push({ id, root: undefined, author, word, audience, status: 'active' });
  };
  const answer = async () => {
    const root = pick((one) => !one.root && one.status === 'active');
    if (!root) return begin();
    const author = authors[draw(authors.length)] as Member;
    const word = `word${known.length}q`;
    const { id } = await reply(author, root, `It answers ${word}.`);
    known.push({ id, root, author, word, audience: root.audience, status: 'active' });
  };
  const judge = async () => {
    const one = pick(({ status }) => status !== 'removed');
    if (!one) return;
    one.status = one.status === 'active' ? 'hidden' : 'active';
    await moderate(moderator, one.id, one.status);
  };
  const erase = async () => {
    const one = pick(({ status }) => status !== 'removed');
    if (!one) return;
    await remove(draw(2) === 0 ? one.author : moderator, one.id);
    for (const other of known) {
      if (other === one || other.root === one) other.status = 'removed';
    }
  };
  const turn = async () => {
    const root = pick((one) => !one.root && one.status === 'active');
    if (!root) return;
    const audience = root.audience === 'public' ? 'agents' : 'public';
    const has_replies = known.some((one) => one.root === root && one.status !== 'removed');
    const { status } = await root.author.call('PATCH', `/posts/${root.id}`, { body: { audience } });
    assert.equal(status, audience === 'public' && has_replies ? 409 : 200);
    if (status !== 200) return;
    for (const one of known) if (one === root || one.root === root) one.audience = audience;
  };
  const deeds = [begin, begin, answer, answer, answer, answer, judge, judge, erase, turn, turn];
  for (let step = 0; step < steps; step += 1) {
    if (step % 8 === 0) forum.rest();
    await deeds[draw(deeds.length)]?.();
  }
  return known;
}

/** Everything that a reader is shown, by every route that lists or shows posts. */
async function readEverything(
  forum: PostingForum,
  known: readonly Known[],
  reader: Member | undefined,
) {
  const sent = reader ? { token: reader.token } : {};
  const get = (path: string) => forum.api.call('GET', path, sent);
  const texts: Record<string, string> = {};
  const add = (route: string, text: string) => {
    texts[route] = `${texts[route] ?? ''}\n${text}`;
  };
  const items = await readAll(async (cursor) => {
    const { body } = await get(`/posts?limit=7${cursor === undefined ? '' : `&before=${cursor}`}`);
    return { items: body.items, next: body.next_before };
  });
  add('list', JSON.stringify(items));
  for (const { id, word } of known) {
    const one = await get(`/posts/${id}`);
    if (one.status === 200) {
      add('thread', one.text);
      // The count of a thread's replies is of those that this reader is shown.
      const { post: shown, replies } = one.body;
      if (shown.parent_id === null) assert.equal(shown.reply_count, replies.length);
    } else assert.equal(one.status, 404);
    add('page', (await forum.api.fetch('GET', `/p/${id}`)).text);
    // A query holds the word that it looks for, so only what is found counts.
    add('search', JSON.stringify((await get(`/search?q=${word}`)).body.items));
    const in_public = (await get(`/search?q=${word}&audience=public`)).body.items;
    add('search in public', JSON.stringify(in_public));
  }
  for (const path of ['/', '/feed.xml', '/sitemap.xml']) {
    add('page', (await forum.api.fetch('GET', path)).text);
  }
  if (reader) {
    const { threads, replies } = (await get('/me/digest?since=0')).body;
    // Beside a reply stands the title of its thread, which may be one's own.
    const texts_of = ({ snippet }: { snippet: string }) => snippet;
    add('digest', [...threads, ...replies].map(texts_of).join('\n'));
    add('export', (await get('/me/export')).text);
  }
  return texts;
}

async function assertShown(
  forum: PostingForum,
  known: readonly Known[],
  reader: Member | undefined,
) {
  const texts = await readEverything(forum, known, reader);
  const routes = ['list', 'thread', 'page', 'search', 'search in public'];
  for (const route of reader ? [...routes, 'digest', 'export'] : routes) {
    for (const one of known) {
      const is_shown = (texts[route] ?? '').includes(one.word);
      const is_own = one.author === reader;
      const visible = isVisible(one, reader);
      const is_public = isVisible(one, undefined);
      const wanted: Record<string, boolean> = {
        list: visible && !one.root,
        thread: visible,
        page: is_public,
        search: visible,
        'search in public': is_public,
        export: is_own && one.status !== 'removed',
      };
      // A digest shows threads of others, and replies in threads of one's own.
      wanted.digest = visible && !is_own && (one.root === undefined || one.root.author === reader);
      const who = reader?.handle ?? 'anybody';
      assert.equal(
        is_shown,
        wanted[route],
        `${who} ${route} ${one.id} ${one.status} ${one.audience}`,
      );
    }
  }
}

forEachEngine((engine) => {
  describe('who sees a post', () => {
    const seeds = engine === 'sqlite' ? [1] : [3];
    for (const seed of seeds) {
      it(`is decided the same by every route, for every kind of reader, history ${seed} [FORUM-090] [FORUM-091] [FORUM-092] [FORUM-124] [FORUM-144] [FORUM-162] [FORUM-163] [FORUM-210] [FORUM-238] [FORUM-239] [FORUM-246]`, async () => {
        await using forum = await openPostingForum({ engine });
        const authors = [
          await forum.member('first'),
          await forum.member('second'),
          await forum.member('guest', { tier: 'guest' }),
        ];
        const moderator = await forum.member('mod', { role: 'moderator' });
        const administrator = await forum.member('admin', { role: 'administrator' });
        const [first, , guest] = authors as [Member, Member, Member];
        const draw = drawer(seed);
        const known = await makeHistory(forum, authors, moderator, { draw, steps: 60 });
        const count = (fits: (one: Known) => boolean) => known.filter(fits).length;
        for (const status of ['active', 'hidden', 'removed']) {
          assert.ok(count((one) => one.status === status) > 1, `some are ${status}`);
        }
        for (const reader of [undefined, first, guest, administrator]) {
          await assertShown(forum, known, reader);
        }
        // With its author goes all that it wrote; what others replied to it stays theirs, and unread.
        const body = { confirm: 'delete my account' };
        assert.equal((await guest.call('DELETE', '/me', { body })).status, 200);
        for (const one of known) if (one.author === guest) one.status = 'removed';
        for (const reader of [undefined, first]) await assertShown(forum, known, reader);
      });
    }
  });
});
