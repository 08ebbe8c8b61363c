import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { RowBuffer } from './row-buffer.ts';

type Tables = { note: { id: number } };

forEachEngine((engine) => {
  test('RowBuffer writes the rows of a batch at once, and none of a unit that is undone', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate([
      {
        name: 'note',
        up: async (db, { integer }) =>
          db.schema.createTable('note').addColumn('id', integer).execute(),
      },
    ]);
    const written: number[] = [];
    const buffer = new RowBuffer<{ id: number }>(async (db: Kysely<Tables>, rows) => {
      written.push(rows.length);
      await db.insertInto('note').values(rows).execute();
    });
    storage.join(buffer);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, id) =>
        storage.transact(async () => {
          buffer.add({ id });
          if (id % 3 === 0) throw new Error('undone');
        }),
      ),
    );
    const kept_ids = outcomes.flatMap(({ status }, id) => (status === 'fulfilled' ? [id] : []));
    assert.deepEqual(
      kept_ids,
      Array.from({ length: 20 }, (_, id) => id).filter((id) => id % 3 !== 0),
    );
    const rows = await (storage.read as Kysely<Tables>)
      .selectFrom('note')
      .select('id')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      kept_ids,
    );
    assert.equal(
      written.reduce((sum, count) => sum + count, 0),
      kept_ids.length,
    );
    assert(written.length < kept_ids.length);
    const batches = written.length;
    await storage.transact(async () => {});
    assert.equal(written.length, batches);
  });

  test('RowBuffer settles for a unit of work that asks, and again after one that is undone', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate([
      {
        name: 'note',
        up: async (db, { integer }) =>
          db.schema.createTable('note').addColumn('id', integer).execute(),
      },
    ]);
    const buffer = new RowBuffer<{ id: number }>(async (db: Kysely<Tables>, rows) => {
      await db.insertInto('note').values(rows).execute();
    });
    storage.join(buffer);
    const listIds = async (db: Kysely<Tables>) =>
      (await db.selectFrom('note').select('id').orderBy('id').execute()).map(({ id }) => id);
    const add = (id: number) => storage.transact(async () => buffer.add({ id }));
    const seen: number[][] = [];
    const settle = (is_undone: boolean) =>
      storage.transact(async (tx) => {
        await buffer.settle(tx);
        const db: Kysely<Tables> = tx.db;
        seen.push(await listIds(db));
        await db.deleteFrom('note').where('id', '=', 1).execute();
        buffer.add({ id: 100 });
        if (is_undone) throw new Error('undone');
      });
    await Promise.allSettled([add(1), add(2), settle(true), add(3), settle(false), add(4)]);
    assert.deepEqual(seen, [
      [1, 2],
      [1, 2, 3],
    ]);
    assert.deepEqual(await listIds(storage.read), [2, 3, 4, 100]);
    await storage.transact((tx) => buffer.settle(tx));
    assert.deepEqual(await listIds(storage.read), [2, 3, 4, 100]);
  });
});
