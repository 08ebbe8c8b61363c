import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { preparedInsert } from './prepared-insert.ts';

type Note = { name: string; text: string };
type Db = Kysely<{ note: Note & { number: number } }>;

const insertNotes = preparedInsert<Note, Db>('note', ['name', 'text']);
const putNotes = preparedInsert<Note, Db>('note', ['name', 'text'], { key: 'name' });

forEachEngine((engine) => {
  test('preparedInsert inserts rows of any number in their order, and puts some in place of others by their key', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate([
      {
        name: 'note',
        up: (db, { text, counter }) =>
          db.schema
            .createTable('note')
            .addColumn('number', counter, (column) => column.primaryKey())
            .addColumn('name', text, (column) => column.notNull().unique())
            .addColumn('text', text, (column) => column.notNull())
            .execute(),
      },
    ]);
    const notes = Array.from({ length: 130 }, (_, index) => ({
      name: `n${(index * 37) % 130}`,
      text: 'first',
    }));
    const read = () =>
      (storage.read as Db).selectFrom('note').select(['name', 'text']).orderBy('number').execute();
    await storage.transact(({ db }) => insertNotes(db, notes));
    assert.deepEqual(await read(), notes);
    await assert.rejects(storage.transact(({ db }) => insertNotes(db, notes.slice(3, 4))));
    const changed = notes.slice(0, 70).map(({ name }) => ({ name, text: 'second' }));
    await storage.transact(({ db }) => putNotes(db, changed));
    assert.deepEqual(await read(), [...changed, ...notes.slice(70)]);
    await storage.transact(async ({ db }) => putNotes(db, [{ name: 'new', text: 'third' }]));
    assert.deepEqual((await read()).at(-1), { name: 'new', text: 'third' });
  });
});
