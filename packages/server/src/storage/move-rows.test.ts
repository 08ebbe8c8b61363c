import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../../../tests/support/engines.ts';
import { openTestStorage, type TestStorage } from '../../../../tests/support/open-storage.ts';
import type { Migration } from './migrate.ts';
import { findFilledTable, moveRows } from './move-rows.ts';

const migrations: readonly Migration[] = [
  {
    name: 'test-001-tables',
    async up(db, { text, bytes, integer, flag, clustered }) {
      await db.schema
        .createTable('line')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('text', text, (column) => column.notNull())
        .addColumn('box', bytes)
        .execute();
      await db.schema
        .createTable('pair')
        .addColumn('one', text, (column) => column.notNull())
        .addColumn('two', bytes, (column) => column.notNull())
        .addColumn('line_id', integer, (column) => column.references('line.id'))
        .addPrimaryKeyConstraint('pair_key', ['one', 'two'])
        .modifyEnd(clustered)
        .execute();
      await db.schema.createTable('tally').addColumn('of', text).addColumn('is_on', flag).execute();
    },
  },
];

/** More than two pages of each. */
const count = 1_203;
const numbers = Array.from({ length: count }, (_, index) => index);
const tables = {
  line: numbers.map((index) => ({
    id: index * 3 + 1,
    text: `line ${index} – “ß” \u{1f3db}`,
    box: index % 2 === 0 ? Buffer.from([0, index % 256, 255]) : null,
  })),
  pair: numbers.map((index) => ({
    one: `${index % 7}`,
    two: Buffer.from(`${index}`),
    line_id: index * 3 + 1,
  })),
  // Twice the same: where there is no key, rows may be.
  tally: numbers.map((index) => ({ of: index % 2 === 0 ? 'even' : null, is_on: index % 2 })),
};

async function openFilled(from: TestStorage, to: TestStorage) {
  for (const { storage } of [from, to]) await storage.migrate(migrations);
  await from.storage.transact(async ({ db }) => {
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) await db.insertInto(table).values(row).execute();
    }
  });
}

const move = (from: TestStorage, to: TestStorage, settle = async () => {}) => {
  const told: string[] = [];
  const progress = (table: string, rows: number) => void told.push(`${table}: ${rows}`);
  const moved = from.storage.transact(({ db }) =>
    to.storage.transact((tx) => moveRows(db, tx.db, { progress, settle })),
  );
  return moved.then((rows) => ({ rows, told }));
};

if (engines.includes('postgres')) {
  test('moveRows takes every row of every table along, octets, gaps and twins included', async () => {
    await using from = await openTestStorage('sqlite');
    await using to = await openTestStorage('postgres');
    await openFilled(from, to);
    const { rows, told } = await move(from, to);
    assert.equal(rows, 3 * count);
    assert.deepEqual(told, [`line: ${count}`, `pair: ${count}`, `tally: ${count}`]);
    const read = (table: string, order: string) =>
      to.storage.read.selectFrom(table).selectAll().orderBy(order).execute();
    assert.deepEqual(await read('line', 'id'), tables.line);
    assert.deepEqual(await read('pair', 'line_id'), tables.pair);
    const even = await to.storage.read.selectFrom('tally').select('of').where('is_on', '=', 0);
    assert.equal((await even.execute()).length, Math.ceil(count / 2));
  });

  test('moveRows that does not come to its end leaves nothing behind, and says why', async () => {
    await using from = await openTestStorage('sqlite');
    await using to = await openTestStorage('postgres');
    await openFilled(from, to);
    const late = move(from, to, () => Promise.reject(new Error('at the last moment')));
    await assert.rejects(late, /at the last moment/);
    assert.equal(await findFilledTable(to.storage.read), undefined);
    // What PostgreSQL does not hold as it is given is found when it is read back.
    await to.storage.transact(async ({ db }) => {
      await db.schema
        .alterTable('line')
        .alterColumn('text', (c) => c.setDataType('char(40)'))
        .execute();
    });
    await assert.rejects(move(from, to), /the rows of line are not the same/);
    assert.equal(await findFilledTable(to.storage.read), undefined);
    assert.equal((await from.storage.read.selectFrom('line').selectAll().execute()).length, count);
  });
}
