import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { entryHash, entryPreimage, type VisibleEntry } from '@stoa/proof/guestbook';
import { makeAgents } from '../../support/agents.ts';
import { countOutcomes } from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import { assertVerifies, behind_proxy, bookOf } from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';

const zeros = '0'.repeat(64);

const sha256Hex = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/** The document's four steps for one entry, with nothing of ours in them. */
function assertVerifiesAlone(entry: VisibleEntry, previous_hash: string): void {
  const { agent, date, message, name, postedUtc, prevHash, publicKey, seq, sig } = entry;
  const hashed = { agent, date, message, name, postedUtc, prevHash, publicKey, seq, sig, v: 1 };
  assert.equal(sha256Hex(JSON.stringify(hashed)), entry.entryHash);
  assert.equal(prevHash, previous_hash);
  const raw = Buffer.from(publicKey, 'base64');
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  });
  const signed = JSON.stringify({ action: 'post', agent, date, message, v: 1 });
  assert.ok(verify(null, Buffer.from(signed), key, Buffer.from(sig, 'base64')));
  assert.equal(sha256Hex(raw), agent);
}

forEachEngine((engine) => {
  test('every entry holds by the four steps of the document, and the last is the head [BOOK-085] [BOOK-086] [BOOK-087] [BOOK-088] [BOOK-089]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse('2026-09-07T10:00:00.000Z'),
      config: behind_proxy,
    });
    const book = bookOf(house);
    const messages = [
      'plain',
      'café "q" \\ /',
      '今日も良い一日を。',
      '😀 \u{10ffff}',
      ' ',
      'e\u0301',
    ];
    const agents = await book.join(messages.length);
    for (const [index, agent] of agents.entries()) {
      house.clock.advance(8_640_007);
      const answer = await book.write(agent, messages[index] ?? '');
      assert.equal(answer.status, 201);
    }
    const { head, entries } = await book.record();
    let previous_hash = zeros;
    for (const entry of entries) {
      assert.ok(!('hidden' in entry));
      assertVerifiesAlone(entry, previous_hash);
      assert.equal(entryHash(entry), entry.entryHash);
      assert.equal(entryPreimage(entry).includes('"v":1}'), true);
      previous_hash = entry.entryHash;
    }
    assert.equal(head.hash, previous_hash);
    assertVerifies({ head, entries });
  });

  test('64 posts by 64 agents at once make one chain, through one process and through two [BOOK-045] [BOOK-046] [BOOK-090] [BOOK-091]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = await book.join(64);
    const writeAll = async (books: readonly (typeof book)[]) => {
      const answers = await Promise.all(
        agents.map((agent, index) => books[index % books.length]?.write(agent)),
      );
      return answers.filter((answer) => answer !== undefined);
    };
    const assertOneChain = async (answers: Awaited<ReturnType<typeof writeAll>>, from: number) => {
      assert.deepEqual(countOutcomes(answers), { 201: 64 });
      const places = answers.map(({ body }) => body as VisibleEntry);
      places.sort((one, other) => one.seq - other.seq);
      assert.deepEqual(
        places.map(({ seq }) => seq),
        Array.from({ length: 64 }, (_, index) => from + index),
      );
      assert.equal(new Set(places.map(({ prevHash }) => prevHash)).size, 64);
      // What each was told is what stands in the book.
      const entries = (await book.visible()).slice(from - 1);
      assert.deepEqual(
        places,
        entries.map(({ seq, prevHash, entryHash: hash, postedUtc }) => ({
          seq,
          prevHash,
          entryHash: hash,
          postedUtc,
        })),
      );
      assert.equal(new Set(entries.map(({ agent }) => agent)).size, 64);
    };
    await assertOneChain(await writeAll([book]), 1);
    house.clock.advance(86_400_000);
    await using beside =
      engine === 'postgres'
        ? await openTestHouse({ engine, rooms: ['guestbook'], beside: house })
        : undefined;
    await assertOneChain(await writeAll([book, bookOf(beside ?? house)]), 65);
  });

  test('every entry hashes to the same after restarts, milliseconds included, and the chain goes on [BOOK-092] [BOOK-094]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['guestbook'],
      start: Date.parse('2026-09-07T23:59:59.001Z'),
      config: behind_proxy,
    });
    const book = bookOf(house);
    const agents = makeAgents(5);
    const messages = ['é', 'e\u0301', '\\u00e9 "', '  spaces  ', '🤖🤖'];
    for (const [index, agent] of agents.entries()) {
      house.clock.advance(333);
      await book.register(agent.registration());
      assert.equal((await book.write(agent, messages[index] ?? '')).status, 201);
    }
    const before = await book.entries();
    const head = await book.head();
    await house.restart();
    await house.restart();
    assert.equal((await book.entries()).text, before.text);
    assert.equal((await book.head()).text, head.text);
    const entries = await book.visible();
    for (const entry of entries) assert.equal(entryHash(entry), entry.entryHash);
    assert.deepEqual(
      entries.map(({ postedUtc }) => postedUtc),
      [
        '07T23:59:59.334',
        '07T23:59:59.667',
        '08T00:00:00.000',
        '08T00:00:00.333',
        '08T00:00:00.666',
      ].map((instant) => `2026-09-${instant}Z`),
    );
    house.clock.advance(86_400_000);
    const next = (await book.write(agents[0] ?? assert.fail(), 'After the restart')).body;
    assert.deepEqual(
      [(next as VisibleEntry).seq, (next as VisibleEntry).prevHash],
      [6, entries.at(-1)?.entryHash],
    );
    await book.visible();
  });
});
