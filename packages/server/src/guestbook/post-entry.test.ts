import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { guestbook_routes } from '@stoa/wire';
import { makeAgent, type Post } from '../../../../tests/support/agents.ts';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { bookOf } from '../../../../tests/support/guestbook.ts';
import { openTestHouse } from '../../../../tests/support/open-house.ts';
import type { Call } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import { postEntry } from './post-entry.ts';

type PostCall = Call<typeof guestbook_routes.postEntry>;

function callOf(body: Post): PostCall {
  return {
    params: undefined,
    query: undefined,
    body,
    headers: {},
    method: 'POST',
    path: '',
    client: '127.0.0.1',
    address: '127.0.0.1',
    is_form: false,
    base_path: '/guestbook',
    signal: new AbortController().signal,
    refuse: (code, options) => new RefusalError(code, options),
  };
}

forEachEngine((engine) => {
  test('postEntry refuses a date that was today when it was read and is not when it is appended [BOOK-041] [BOOK-043]', async () => {
    await using house = await openTestHouse({
      engine,
      start: Date.parse('2026-09-07T23:59:59.999Z'),
    });
    const book = bookOf(house);
    const agent = makeAgent('at the turn');
    await book.register(agent.registration());
    const call = callOf(agent.post({ date: book.today(), message: 'At the turn' }));
    house.clock.advance(1);
    await assert.rejects(postEntry(house.house.deps, call), (error) => {
      assert.ok(error instanceof RefusalError);
      assert.equal(error.code, 'invalid-request');
      assert.match(error.message, /^date is not the current UTC date, 2026-09-08/);
      return true;
    });
    assert.deepEqual(await book.visible(), []);
    assert.equal((await book.write(agent)).status, 201);
  });

  test('postEntry keeps the text that was hashed, and an entry that fails after its append leaves no seq behind [BOOK-045] [BOOK-092]', async () => {
    await using house = await openTestHouse({ engine });
    const book = bookOf(house);
    const { deps } = house.house;
    const agent = makeAgent('kept as hashed');
    await book.register(agent.registration());
    const line = agent.post({ date: book.today(), message: 'Kept "as" hashed: é e\u0301' });
    const failing = {
      ...deps,
      transact: (work: Parameters<typeof deps.transact>[0]) =>
        deps.transact(async (tx) => {
          await work(tx);
          throw new Error('the disk is full');
        }),
    };
    // @NOTE The stand-in answers what its work answers, which TypeScript cannot see.
    await assert.rejects(postEntry(failing as typeof deps, callOf(line)), /the disk is full/);
    assert.deepEqual(await book.visible(), []);
    const { status, body } = await postEntry(deps, callOf(line));
    assert.deepEqual([status, body.seq], [201, 1]);
    const [kept] = await deps.log.readAfter('guestbook', 0, 1);
    const [{ entryHash: _, ...hashed } = assert.fail()] = await book.visible();
    assert.equal(kept?.body, JSON.stringify(hashed));
  });
});
