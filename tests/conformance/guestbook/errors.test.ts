import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestbook_refusals } from '@stoa/wire';
import { makeAgent, makeAgents } from '../../support/agents.ts';
import {
  type Answer,
  assertNothingLeaks,
  assertRefused,
  countOutcomes,
  readAnswer,
} from '../../support/answers.ts';
import { forEachEngine } from '../../support/engines.ts';
import { behind_proxy, book_api, bookOf, fromAddress } from '../../support/guestbook.ts';
import { openTestHouse } from '../../support/open-house.ts';

/** The document's list of errors, and what D-BOOK-16 adds that a client can bring about. */
const all_outcomes = [
  '400 invalid-request',
  '401 bad-signature',
  '404 not-found',
  '404 unknown-agent',
  '409 already-posted-today',
  '409 already-registered',
  '429 daily-cap',
  '429 registration-cap',
  '503 writes-disabled',
];

forEachEngine((engine) => {
  test('every refusal has one form: JSON of a code and a message, two strings and nothing else, and no code is off the list [BOOK-136] [BOOK-137]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'], config: behind_proxy });
    const book = bookOf(house);
    const agents = await book.join(101);
    const [agent = assert.fail(), other = assert.fail()] = agents;
    const late = agents[100] ?? assert.fail();
    const date = book.today();
    const line = agent.post({ date, message: 'A line' });
    const get = async (path: string) => readAnswer(await house.fetch(path));
    const answers: Answer[] = [
      await book.register('{}'),
      await book.register({ ...agent.registration(), signature: other.sign('x') }),
      await book.register(agent.registration()),
      await book.post('{}'),
      await book.post({ ...line, message: 'Another' }),
      await book.post(makeAgent('nobody').post({ date, message: 'A line' })),
      await book.entries('?limit=0'),
      await get('/guestbook/nowhere'),
      await get(`${book_api}/agents`),
      await get(`${book_api}/agents/${agent.fingerprint}`),
      await get(`${book_api}/entries/1`),
    ];
    for (const [index, one] of makeAgents(6).entries()) {
      const fresh = makeAgent(`of the same address ${index}`, one.name);
      const answer = await book.register(fresh.registration(), fromAddress(1_000));
      if (answer.status !== 201) answers.push(answer);
    }
    await Promise.all(agents.slice(0, 100).map((one) => book.write(one)));
    answers.push(await book.write(agent), await book.write(late));
    await house.command('guestbook', 'suspend');
    answers.push(await book.register('{}'), await book.post(line));

    assert.deepEqual(Object.keys(countOutcomes(answers)).sort(), all_outcomes);
    for (const answer of answers) {
      const { error } = answer.body as { error: { code: string; message: string } };
      assertRefused(answer, [answer.status, error.code]);
      assert.equal(
        answer.text,
        JSON.stringify({ error: { code: error.code, message: error.message } }),
      );
      const listed: Readonly<Record<string, { status: number }>> = guestbook_refusals;
      assert.equal(listed[error.code]?.status, answer.status);
      assert.equal(answer.headers.has('retry-after'), answer.status === 429);
      assert.equal(answer.headers.get('set-cookie'), null);
    }
    assert.deepEqual(
      Object.entries(guestbook_refusals)
        .map(([code, { status }]) => `${status} ${code}`)
        .sort(),
      // Headers are of HTTP, which has no say in the list.
      [...all_outcomes, '431 headers-too-large', '500 internal-error'].sort(),
    );
  });

  test('a message of a refusal says what to do, quotes what was found, and tells nothing of the inside [BOOK-028] [BOOK-044] [BOOK-137]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['guestbook'] });
    const book = bookOf(house);
    const agent = makeAgent('asks why');
    await book.register(agent.registration());
    const saying = async (message: string) =>
      assertRefused(await book.post(agent.post({ date: book.today(), message })), [
        400,
        'invalid-request',
      ]);
    assert.match(await saying('see Example.COM/x now'), /example\.com\/x/);
    assert.match(await saying('a\u200bb'), /U\+200B/);
    assert.match(await saying('x'.repeat(281)), /281/);
    const yesterday = agent.post({ date: '2026-09-06', message: 'A line' });
    assert.match(assertRefused(await book.post(yesterday), [400, 'invalid-request']), /2026-09-07/);
    for (const page of [
      '/guestbook/?before=x',
      '/guestbook/?before=0',
      '/guestbook/?before=1&before=2',
    ]) {
      const answer = await readAnswer(await house.fetch(page));
      assert.equal(answer.status, 400);
      assertNothingLeaks(answer.text);
    }
  });
});
