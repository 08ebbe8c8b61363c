import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent } from '../../../../tests/support/agents.ts';
import {
  assertNothingLeaks,
  assertRefused,
  readAnswer,
} from '../../../../tests/support/answers.ts';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { bookOf } from '../../../../tests/support/guestbook.ts';
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
