import { prepared } from './prepared.ts';
import type { Db } from './storage.ts';

/** Rows of one statement; SQLite takes at most 32,766 parameters. */
const rows_max = 64;

/** The statement that inserts `count` rows, given as the values of their columns one after the other. */
const insertOf = (
  table: string,
  columns: readonly string[],
  count: number,
  { key = [], fixed = [] }: { key?: readonly string[]; fixed?: readonly string[] },
) =>
  prepared((db: Db, values: readonly unknown[]) => {
    const insert = db
      .insertInto(table)
      .values(
        Array.from({ length: count }, (_, row) =>
          Object.fromEntries(
            columns.map((column, index) => [column, values[row * columns.length + index]]),
          ),
        ),
      );
    if (key.length === 0) return insert;
    const others = columns.filter((column) => !key.includes(column) && !fixed.includes(column));
    return insert.onConflict((conflict) =>
      conflict
        .columns(key)
        .doUpdateSet((row) =>
          Object.fromEntries(others.map((column) => [column, row.ref(`excluded.${column}`)])),
        ),
    );
  });

/**
 * Inserts many rows into a table at once, by statements that are compiled once for each number of rows. With a
 * `key`, the columns by which rows are told apart, they take the place of those that are there already: of one key
 * there must be one row. Those that are `fixed` stay then as they are, which spares the indexes that they are in. What
 * is undefined is stored as null.
 */
export function preparedInsert<Row extends object, StoreDb extends Db = Db>(
  table: string,
  columns: readonly (keyof Row & string)[],
  conflict: { key?: readonly (keyof Row & string)[]; fixed?: readonly (keyof Row & string)[] } = {},
): (db: StoreDb, rows: readonly Row[]) => Promise<void> {
  const inserts = Array.from({ length: rows_max }, (_, index) =>
    insertOf(table, columns, index + 1, conflict),
  );
  return async (db, rows) => {
    for (let start = 0; start < rows.length; start += rows_max) {
      const end = Math.min(rows.length, start + rows_max);
      const values: unknown[] = [];
      for (let at = start; at < end; at += 1) {
        const row = rows[at];
        for (const column of columns) values.push(row?.[column] ?? null);
      }
      await inserts[end - start - 1]?.(db, values);
    }
  };
}
