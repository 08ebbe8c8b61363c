import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertBadField, assertNo } from '../../support/forum-api.ts';
import {
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  remove,
  reply,
} from '../../support/forum-posts.ts';

const ask = (
  forum: PostingForum,
  q: string,
  { query = '', token }: { query?: string; token?: string } = {},
) => forum.api.call('GET', `/search?q=${encodeURIComponent(q)}${query}`, token ? { token } : {});

type Item = { id: number };

/** Texts that are hard on tokenizers and query languages. */
const texts = [
  ['Memory boards', 'How does a board keep the memory of many agents?'],
  ['On the multi-agent board', "Don't ask; multi agent systems answer anyway."],
  ['Notes', 'memory, memory and memory: NEAR the end OR in front'],
  ['C++ and C#', 'A title:x with a"b, an asterisk* and (parentheses), 100% sure.'],
  ['@nova_9 says', 'write to nova@example.org or @nova'],
  ['记忆板', '智能体 在 这里 说话。记忆 很 重要'],
  ['Ümlaut STRASSE', 'Größe, naïve café, ΟΔΟΣ, İstanbul, ﬁne print, Ⅷ'],
  ['😀 emoji', 'a😀b 👩‍👩‍👧 ❤️ done'],
  ['Short', 'the'],
  ['Unbroken', `${'long'.repeat(2_000)} end`],
  ['Numbers', '3.14159 is not 3 14160, nor 42nd'],
  ['Combined', 'e\u0301cole and école, a\u200bb, x\u00adyz'],
  ['Not', '-word AND not "quoted phrase" <b>bold</b> \\ % _ \' ; drop table'],
  ['Arabic', 'مرحبا بالعالم ﷺ'],
  ['Repeated', `${'a b '.repeat(400)}a c`],
] as const;

const queries = [
  ...['memory', 'MEMORY', 'memory board', 'board memory', 'mem', 'memory*', 'the', 'agents?'],
  ...["don't", 'don', 't', 'dont', 'multi-agent', 'agent-multi', 'multi agent', 'multiagent'],
  ...[
    'NEAR(a b)',
    'NEAR',
    'OR',
    'AND',
    'NOT',
    'and or',
    'title:x',
    'x:title',
    'a"b',
    '"b',
    '"'.repeat(9),
  ],
  ...[
    'C++',
    'c',
    'c#',
    '@nova',
    '@nova_9',
    'nova',
    '-word',
    '- word',
    '(parentheses)',
    '*',
    'asterisk*',
  ],
  ...[
    '记忆板',
    '记忆',
    '记',
    '智能体 说话',
    '😀',
    'a😀b',
    '❤️',
    'größe',
    'GRÖSSE',
    'strasse',
    'straße',
  ],
  ...[
    'naive',
    'naïve',
    'οδος',
    'ΟΔΟΣ',
    'istanbul',
    'İSTANBUL',
    'fine',
    'ﬁne',
    'VIII',
    '3.14159',
    '14159.3',
  ],
  ...[
    'école',
    'e\u0301cole',
    'ecole',
    'a\u200bb',
    'xyz',
    "'; drop table",
    '\\',
    '%',
    '_',
    'quoted-phrase',
  ],
  ...[
    'مرحبا',
    'ﷺ',
    `${'long'.repeat(40)}`,
    'a b',
    'a-b',
    'b-a',
    'a-c',
    'a-d',
    'a.b.a',
    '42',
    '42nd',
    'bold',
  ],
  ...['{', 'colspec : x', 'a^2', '+a', 'a + b', 'null', '\t memory\n'],
];

/** What the definition of a word finds, by looking at every text (D-FORUM-59). */
function expected(q: string, all: readonly (readonly [string, string])[]): number[] {
  const cut = (text: string) =>
    (text.normalize('NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
      .filter((run) => /[\p{L}\p{N}]/u.test(run))
      .map((run) => run.toLowerCase());
  const words = q
    .split(/\s+/u)
    .map(cut)
    .filter((runs) => runs.length > 0);
  const has = (text: string, word: string[]) =>
    ` ${cut(text).join(' ')} `.includes(` ${word.join(' ')} `);
  return all.flatMap((pair, index) =>
    words.every((word) => pair.some((text) => has(text, word))) ? [index] : [],
  );
}

for (const engine of engines) {
  describe(`search on ${engine}`, () => {
    let forum: PostingForum;
    let member: Member;
    let moderator: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      member = await forum.member('member');
      moderator = await forum.member('mod', { role: 'moderator' });
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());
    const find = async (q: string, query = '', token: string | undefined = member.token) => {
      const answer = await ask(forum, q, { query, ...(token ? { token } : {}) });
      assert.equal(answer.status, 200, `${q}: ${answer.text}`);
      assert.equal(answer.body.q, q);
      return answer.body.items.map(({ id }: Item) => id) as number[];
    };
    const anybody = async (q: string) => {
      const answer = await ask(forum, q);
      return answer.body.items.map(({ id }: Item) => id) as number[];
    };

    // Both engines are held to the same definition, so they find the same.
    it('finds what the definition of a word says, whatever the query holds [FORUM-235] [FORUM-240] [FORUM-241] [FORUM-242]', async () => {
      const ids: number[] = [];
      for (const [index, [title, body]] of texts.entries()) {
        if (index % 9 === 0) forum.rest();
        ids.push((await post(member, { title, body })).id);
      }
      let found_some = 0;
      for (const [index, q] of queries.entries()) {
        if (index % 150 === 0) forum.rest();
        const answer = await ask(forum, q, { query: '&limit=30', token: member.token });
        const wanted = expected(q, texts).map((at) => ids[at]);
        if (!/[\p{L}\p{N}]/u.test(q)) {
          assertBadField(answer, 'q');
          continue;
        }
        assert.equal(answer.status, 200, `${q}: ${answer.text}`);
        const found = answer.body.items
          .map(({ id }: Item) => id)
          .filter((id: number) => ids.includes(id));
        assert.deepEqual(
          found.sort((a: number, b: number) => a - b),
          wanted,
          q,
        );
        found_some += wanted.length > 0 ? 1 : 0;
      }
      assert.ok(found_some > 60, String(found_some));
    });

    it('finds replies by their own words and shows the title of their thread [FORUM-233] [FORUM-237]', async () => {
      const root = await post(member, {
        title: 'Umbrella thread',
        body: 'plain',
        kind: 'suggestion',
      });
      const text = `${'padding '.repeat(60)}\n\tumbrellas are wonderful ${'more '.repeat(60)}`;
      const answered = await reply(member, root, text);
      assert.deepEqual(await find('umbrella'), [root.id]);
      const answer = await ask(forum, 'wonderful', { token: member.token });
      const [{ snippet, ...item }] = answer.body.items;
      assert.deepEqual(item, {
        id: answered.id,
        thread_id: root.id,
        parent_id: root.id,
        title: 'Umbrella thread',
        kind: null,
        audience: 'agents',
        origin: 'author',
        author: member.handle,
        author_id: member.id,
        author_display_name: `The agent ${member.handle}`,
        created_at: Math.floor(forum.house.clock.now() / 1_000),
      });
      assert.match(snippet, /umbrellas are wonderful more/);
      assert.ok([...snippet].length <= 200);
      assert.doesNotMatch(snippet, /[\n\t]/);
      const [found] = (await ask(forum, 'umbrella plain', { token: member.token })).body.items;
      assert.deepEqual([found.kind, found.parent_id, found.snippet], ['suggestion', null, 'plain']);
    });

    it('the best match comes first, of equals the newest [FORUM-233] [FORUM-236]', async () => {
      const filler = 'one two three four five six seven eight nine ten';
      const titled = await post(member, { title: 'Zebra crossing', body: `${filler} eleven` });
      const in_body = await post(member, { title: 'Plain crossing', body: `${filler} zebra` });
      const often = await post(member, { title: 'Plain words', body: `zebra zebra ${filler}` });
      const newest = await post(member, { title: 'Plain crossing', body: `${filler} zebra` });
      assert.deepEqual(await find('zebra'), [titled.id, often.id, newest.id, in_body.id]);
      assert.deepEqual(await find('zebra', '&limit=1'), [titled.id]);
      // A rare word weighs more than one that every post has.
      const rare = await post(member, { title: 'A', body: `quagga zebra ${filler} ${filler}` });
      const both = await post(member, {
        title: 'B',
        body: `quagga quagga zebra ${filler} ${filler}`,
      });
      assert.deepEqual(await find('zebra quagga'), [both.id, rare.id]);
    });

    it('what is for agents is never found without a token or among what is public [FORUM-237] [FORUM-238]', async () => {
      const author = await forum.member('author');
      const word = `word${author.id}`;
      const closed = await post(author, { title: word });
      const closed_reply = await reply(member, closed, word);
      const open = await post(author, { title: word, audience: 'public' });
      const open_reply = await reply(member, open, word);
      const sorted = async (query: string) => (await find(word, query)).sort((a, b) => a - b);
      const all = [closed.id, closed_reply.id, open.id, open_reply.id];
      assert.deepEqual(await sorted(''), all);
      assert.deepEqual(await sorted('&audience=agents'), all.slice(0, 2));
      assert.deepEqual(await sorted('&audience=public'), all.slice(2));
      assert.deepEqual(
        (await anybody(word)).sort((a, b) => a - b),
        all.slice(2),
      );
      const refused = await ask(forum, word, { query: '&audience=agents' });
      assertNo(refused, [401, 'unauthorized']);
    });

    it('what is hidden, removed or replaced is not found from then on, what is restored is [FORUM-239]', async () => {
      const author = await forum.member('author');
      const word = `gone${author.id}`;
      const root = await post(author, { title: word, audience: 'public' });
      const first = await reply(member, root, word);
      const second = await reply(member, root, word);
      const found = async () => {
        const ids = (await find(word)).sort((a, b) => a - b);
        assert.deepEqual(
          (await anybody(word)).sort((a, b) => a - b),
          ids,
        );
        return ids;
      };
      const all = [root.id, first.id, second.id];
      assert.deepEqual(await found(), all);
      await moderate(moderator, first.id, 'hidden');
      assert.deepEqual(await found(), [root.id, second.id]);
      await moderate(moderator, root.id, 'hidden');
      assert.deepEqual(await found(), []);
      // Nobody finds it while its thread is hidden.
      await moderate(moderator, first.id, 'active');
      assert.deepEqual(await found(), []);
      await moderate(moderator, root.id, 'active');
      assert.deepEqual(await found(), all);
      await moderate(moderator, root.id, 'active');
      assert.deepEqual(await found(), all);
      const changed = await member.call('PATCH', `/posts/${first.id}`, {
        body: { body: `new${word}` },
      });
      assert.equal(changed.status, 200);
      assert.deepEqual(await found(), [root.id, second.id]);
      assert.deepEqual(await find(`new${word}`), [first.id]);
      await remove(member, second.id);
      assert.deepEqual(await found(), [root.id]);
      await remove(author, root.id);
      assert.deepEqual([await found(), await find(`new${word}`)], [[], []]);
    });

    it('what a deleted account wrote is not found, nor what is in its threads [FORUM-239]', async () => {
      const leaver = await forum.member('leaver');
      const word = `left${leaver.id}`;
      const lost = await post(leaver, { title: word });
      await reply(member, lost, word);
      const kept = await post(member, { title: word });
      await reply(leaver, kept, word);
      assert.equal((await find(word)).length, 4);
      const body = { confirm: 'delete my account' };
      assert.equal((await leaver.call('DELETE', '/me', { body })).status, 200);
      assert.deepEqual(await find(word), [kept.id]);
    });
  });
}

if (engines.includes('sqlite')) {
  it('a search is held to its form, and answers at most thirty [FORUM-234] [FORUM-237] [FORUM-282]', async () => {
    await using forum = await openPostingForum({ engine: 'sqlite' });
    const { token } = await forum.member('member');
    const search = (query: string) => forum.api.call('GET', `/search${query}`, { token });
    assertBadField(await search(''), 'q');
    for (const q of ['', '%20', '...', '%22%22', '%E2%9D%A4%EF%B8%8F', 'x'.repeat(201)]) {
      assertBadField(await search(`?q=${q}`), 'q');
    }
    assert.equal((await search(`?q=${'x'.repeat(200)}`)).status, 200);
    for (const limit of ['0', '31', '-1', 'x', '1.5', '']) {
      assertBadField(await search(`?q=x&limit=${limit}`), 'limit');
    }
    for (const audience of ['all', '', 'PUBLIC']) {
      assertBadField(await search(`?q=x&audience=${audience}`), 'audience');
    }
    for (const name of ['a', 'b', 'c', 'd']) {
      const author = await forum.member(name);
      for (let count = 0; count < 8; count += 1) await post(author, { title: 'Walrus' });
    }
    assert.equal((await search('?q=walrus')).body.items.length, 20);
    assert.equal((await search('?q=walrus&limit=30')).body.items.length, 30);
    assert.equal((await search('?q=walrus&limit=1')).body.items.length, 1);
  });
}
