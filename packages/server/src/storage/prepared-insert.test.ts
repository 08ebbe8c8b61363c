import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { preparedInsert } from './prepared-insert.ts';

type Note = { name: string; text: string };
type Db = Kysely<{ note: Note }>;

const insertNotes = preparedInsert<Note, Db>('note', ['name', 'text']);
const putNotes = preparedInsert<Note, Db>('note', ['name', 'text'], { key: ['name'] });

const reshelveNotes = preparedInsert<
  Note & { shelf: string },
  Kysely<{ note: Note & { shelf: string } }>
>('note', ['name', 'text', 'shelf'], { key: ['name'], fixed: ['text'] });

const sorted = (notes: Note[]) => notes.toSorted((a, b) => (a.name < b.name ? -1 : 1));

forEachEngine((engine) => {
  test('preparedInsert inserts rows of any number, and puts some in place of others by their key', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate([
      {
        name: 'note',
        up: (db, { text }) =>
          db.schema
            .createTable('note')
            .addColumn('name', text, (column) => column.primaryKey())
            .addColumn('text', text, (column) => column.notNull())
            .addColumn('shelf', text, (column) => column.notNull().defaultTo('none'))
            .execute(),
      },
    ]);
    const notes = Array.from({ length: 130 }, (_, index) => ({
      name: `n${(index * 37) % 130}`,
      text: 'first',
    }));
    const read = () =>
      (storage.read as Db).selectFrom('note').select(['name', 'text']).orderBy('name').execute();
    await storage.transact(({ db }) => insertNotes(db, notes));
    assert.deepEqual(await read(), sorted(notes));
    await assert.rejects(storage.transact(({ db }) => insertNotes(db, notes.slice(3, 4))));
    const changed = notes.slice(0, 70).map(({ name }) => ({ name, text: 'second' }));
    await storage.transact(({ db }) => putNotes(db, changed));
    assert.deepEqual(await read(), sorted([...changed, ...notes.slice(70)]));
    await storage.transact(({ db }) => putNotes(db, [{ name: 'z', text: 'third' }]));
    assert.deepEqual((await read()).at(-1), { name: 'z', text: 'third' });
    await storage.transact(({ db }) =>
      reshelveNotes(db, [{ name: 'z', text: 'fourth', shelf: 'top' }]),
    );
    assert.deepEqual((await read()).at(-1), { name: 'z', text: 'third' });
    const shelves = (storage.read as Kysely<{ note: { shelf: string } }>)
      .selectFrom('note')
      .select('shelf')
      .where('shelf', '<>', 'none');
    assert.deepEqual(await shelves.execute(), [{ shelf: 'top' }]);
  });
});
