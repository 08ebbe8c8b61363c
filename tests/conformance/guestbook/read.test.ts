import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '@stoa/proof/guestbook';
import { makeAgents } from '../../support/agents.ts';
import { assertAnswered, assertRefused } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import { assertVerifies, behind_proxy, bookOf, entriesOf } from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';

const bad = [400, 'invalid-request'] as const;
const zeros = '0'.repeat(64);
const day_ms = 86_400_000;
const greatest = Number.MAX_SAFE_INTEGER;

const seqsOf = (entries: readonly Entry[]) => entries.map(({ seq }) => seq);
const range = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);

forEachEngine((engine) => {
  test('an empty book has no entries, and a head of seq 0 and 64 zeros without a date [BOOK-072] [BOOK-081] [BOOK-082]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    assertAnswered(await book.entries(), 200, { entries: [] });
    assertAnswered(await book.entries('?after=0&limit=1'), 200, { entries: [] });
    assertAnswered(await book.entries(`?after=${greatest}`), 200, { entries: [] });
    const head = await book.head();
    assertAnswered(head, 200, { seq: 0, hash: zeros, updatedUtc: null });
    assert.equal(head.text, `{"seq":0,"hash":"${zeros}","updatedUtc":null}`);
    assertVerifies(await book.record());
  });

  test('entries come in order after a seq, 100 unless limit says 1 to 500, until there are none; a page never changes [BOOK-072] [BOOK-073] [BOOK-074] [BOOK-075] [BOOK-076] [BOOK-077] [BOOK-078] [BOOK-079] [BOOK-080] [BOOK-081] [BOOK-089] [BOOK-094]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = await book.join(84);
    for (let day = 0; day < 6; day += 1) {
      if (day > 0) house.clock.advance(day_ms);
      const answers = await Promise.all(agents.map((agent) => book.write(agent, `Day ${day}`)));
      assert.ok(answers.every(({ status }) => status === 201));
    }
    const last = 6 * 84;
    assert.ok(last > 501);
    const pages: [query: string, first: number, last: number][] = [
      ['', 1, 100],
      ['?after=0', 1, 100],
      ['?limit=100', 1, 100],
      ['?limit=1', 1, 1],
      ['?limit=499', 1, 499],
      ['?limit=500', 1, 500],
      ['?after=1', 2, 101],
      ['?after=3&limit=2', 4, 5],
      ['?limit=2&after=3', 4, 5],
      ['?after=3&limit=500', 4, 503],
      ['?after=4&limit=500', 5, last],
      [`?after=${last - 1}`, last, last],
      [`?after=${last}`, 1, 0],
      [`?after=${last + 1}&limit=500`, 1, 0],
      [`?after=${greatest}`, 1, 0],
      ['?before=3&offset=7&order=desc', 1, 100],
      ['?AFTER=3', 1, 100],
      ['?%61fter=3&limit=%31', 4, 4],
    ];
    const texts = new Map<string, string>();
    for (const [query, first, end] of pages) {
      const answer = await book.entries(query);
      assert.deepEqual(seqsOf(entriesOf(answer)), range(first, end), query);
      texts.set(query, answer.text);
    }
    for (const query of [
      'limit=501',
      'limit=0',
      'limit=00',
      'limit=01',
      'limit=-0',
      'limit=1.0',
      'limit=%201',
      'limit=1%0a',
      'limit=0x10',
      'limit=１',
      'limit=1,000',
      'limit=true',
      'limit=9007199254740993',
      'limit=1&limit=1',
      'limit',
      'limit[]=1&limit[]=2&limit=x',
    ]) {
      assertRefused(await book.entries(`?${query}`), bad, { about: 'limit', what: query });
    }
    for (const query of [
      'after=',
      'after=-1',
      'after=-0',
      'after=00',
      'after=1.5',
      'after=1e3',
      'after=9007199254740992',
      'after=99999999999999999999',
      'after=Infinity',
      'after=null',
      'after=1&after=1',
      'after=0&after=9&limit=0',
    ]) {
      assertRefused(await book.entries(`?${query}`), bad, { about: 'after', what: query });
    }

    const { head, entries } = await book.record();
    assert.deepEqual(seqsOf(entries), range(1, last));
    const { entryHash, ...end } = entries.at(-1) ?? assert.fail();
    assert.ok(!('hidden' in end));
    assert.deepEqual(head, { seq: last, hash: entryHash, updatedUtc: end.postedUtc });
    assertVerifies({ head, entries });

    await house.restart();
    house.clock.advance(day_ms);
    await Promise.all(agents.slice(0, 3).map((agent) => book.write(agent)));
    for (const [query, first, end] of pages) {
      if (end - first < 1 || end >= last) continue;
      assert.equal((await book.entries(query)).text, texts.get(query), query);
    }
    assert.equal(entriesOf(await book.entries(`?after=${last}`)).length, 3);
  });

  test('who reads on by the last seq it saw gets every entry once, also while others post [BOOK-080] [BOOK-083]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house })
        : undefined;
    const book = bookOf(house);
    const elsewhere = bookOf(beside ?? house);
    const agents = await book.join(60);
    let is_over = false;
    const seen: Entry[] = [];
    const reading = (async () => {
      for (;;) {
        const was_over = is_over;
        const page = entriesOf(await elsewhere.entries(`?after=${seen.at(-1)?.seq ?? 0}&limit=7`));
        seen.push(...page);
        if (was_over && page.length === 0) return;
      }
    })();
    // Whoever got its 201 finds its entry at once, wherever it reads.
    await Promise.all(
      agents.map(async (agent) => {
        const { seq, entryHash } = (await book.write(agent)).body as Entry;
        const [entry] = entriesOf(await elsewhere.entries(`?after=${seq - 1}&limit=1`));
        assert.equal(entry?.entryHash, entryHash);
        const head = (await elsewhere.head()).body as { seq: number };
        assert.ok(head.seq >= seq);
      }),
    );
    is_over = true;
    await reading;
    assert.deepEqual(seqsOf(seen), range(1, 60));
    const { head } = await book.record();
    assertVerifies({ head, entries: seen });
  });

  test('reading needs no credential and falls under no cap: 1,000 reads in a row from one address [BOOK-084]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const [agent] = makeAgents(1);
    assert.ok(agent);
    await book.register(agent.registration());
    await book.write(agent);
    let left = 1_000;
    const readAll = async () => {
      while (left > 0) {
        left -= 1;
        const answer = left % 2 ? await book.head() : await book.entries();
        assert.equal(answer.status, 200);
      }
    };
    await Promise.all(Array.from({ length: 10 }, readAll));
  });
});
