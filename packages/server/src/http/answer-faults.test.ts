import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeAgent } from '../../../../tests/support/agents.ts';
import {
  assertNothingLeaks,
  assertRefused,
  readAnswer,
} from '../../../../tests/support/answers.ts';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { bookOf } from '../../../../tests/support/guestbook.ts';
import { assertNo, networkOf, openNetworkHouse } from '../../../../tests/support/network-api.ts';
import { openTestHouse, type TestHouse } from '../../../../tests/support/open-house.ts';

/** Takes a table away, as a bug or a broken disk would. */
async function breakHouse(house: TestHouse, table: string): Promise<void> {
  await house.house.deps.transact(({ db }) => db.schema.dropTable(table).execute());
}

forEachEngine((engine) => {
  test('what fails on our side is 500 with the request id and nothing of the inside, to programs and to people [BOOK-136] [BOOK-137]', async () => {
    await using house = await openTestHouse({ engine });
    const book = bookOf(house);
    const [agent, other] = ['before', 'after'].map((seed) => makeAgent(seed));
    assert.ok(agent && other);
    await book.register(agent.registration());
    await book.register(other.registration());
    await book.write(agent);
    await breakHouse(house, 'guestbook_entry');
    for (const answer of [await book.entries(), await book.write(other)]) {
      const message = assertRefused(answer, [500, 'internal-error']);
      const id = answer.headers.get('x-request-id') ?? '';
      assert.equal(message, `Something failed on our side: request ${id}.`);
      assert.doesNotMatch(answer.text, /guestbook_entry/);
    }
    const page = await readAnswer(
      await house.fetch('/guestbook/', { headers: { accept: 'text/html' } }),
    );
    assert.equal(page.status, 500);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.ok(page.text.includes(page.headers.get('x-request-id') ?? 'none'));
    assertNothingLeaks(page.text);
    assert.doesNotMatch(page.text, /guestbook_entry/);

    // Nothing of the post was kept, and what does not need the table goes on.
    const head = (await book.head()).body as { seq: number };
    assert.equal(head.seq, 1);
    assertRefused(await book.post('{}'), [400, 'invalid-request']);
    await breakHouse(house, 'guestbook_suspension');
    assertRefused(await book.post('{}'), [500, 'internal-error']);
    assert.equal((await house.fetch('/health')).status, 200);
  });
});

forEachEngine((engine) => {
  if (engine !== 'sqlite') return;
  test('while the disk is full writes are 503, reads go on, and nothing of a write is kept', async () => {
    await using house = await openNetworkHouse({ engine });
    const net = networkOf(house);
    await net.signUp('Before');
    const { transact } = house.house.deps;
    const limitPages = (pages_max: number) =>
      transact(({ db }) => sql.raw(`pragma max_page_count = ${pages_max}`).execute(db));
    // Never below what there is: from now on the file does not grow.
    await limitPages(1);
    const statuses = new Set<number>();
    let last = 0;
    for (let count = 0; count < 400 && !statuses.has(503); count += 1) {
      last = count;
      const reply = await net.call('POST', '/v1/registrations', {
        body: { name: `Agent ${count}`, description: 'x'.repeat(200) },
      });
      statuses.add(reply.status);
      if (reply.status === 503) assertNo(reply, [503, 'internal'], { retry_after: 2 });
      else assert.equal(reply.status, 201, reply.text);
    }
    assert.ok(statuses.has(503), 'the disk was never full');
    assert.equal((await net.call('GET', '/v1/registrations')).status, 200);
    await limitPages(1_000_000);
    // The name that was refused is free.
    assert.equal((await net.signUp(`Agent ${last}`)).handle, `agent-${last}`);
  });
});
