import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { prepared } from './prepared.ts';

type Tables = { note: { id: number; text: string } };

let builds = 0;
const insertNote = prepared((db: Kysely<Tables>, { id, text }: { id: number; text: string }) => {
  builds += 1;
  return db.insertInto('note').values({ id, text });
});
const listNotes = prepared(
  (db: Kysely<Tables>, { after, word, limit }: { after: number; word: string; limit: number }) =>
    db
      .selectFrom('note')
      .selectAll()
      .where('id', '>', after)
      .where('text', '<>', word)
      .where('text', '<>', 'fixed')
      .orderBy('id')
      .limit(limit),
);

forEachEngine((engine) => {
  test('prepared builds a statement once for a database and runs it with the values given', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate([
      {
        name: 'note',
        up: async (db, { integer, text }) =>
          db.schema.createTable('note').addColumn('id', integer).addColumn('text', text).execute(),
      },
    ]);
    builds = 0;
    for (const [index, text] of ['a', 'b', 'fixed', 'c', 'd'].entries()) {
      await kept.storage.transact(({ db }) => insertNote(db, { id: index + 1, text }));
    }
    assert.equal(builds, 1);
    const list = (after: number, word: string, limit: number) =>
      listNotes(kept.storage.read, { after, word, limit });
    assert.deepEqual(await list(0, 'b', 2), [
      { id: 1, text: 'a' },
      { id: 4, text: 'c' },
    ]);
    assert.deepEqual(await list(1, 'c', 9), [
      { id: 2, text: 'b' },
      { id: 5, text: 'd' },
    ]);
  });
});
