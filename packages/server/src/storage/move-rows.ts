import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './storage.ts';

/** Rows that are read and written at once. */
const page_rows = 500;

/** Values of one statement that PostgreSQL takes. */
const parameters_max = 65_535;

/** Rows of a table after which `progress` is told again. */
const progress_rows = 100_000;

type Row = Record<string, unknown>;

type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  /** What its rows are read in the order of: the row's number, or its key where rows have none. */
  readonly order: readonly string[];
};

/** Is told of a table, and how many of its rows went. */
export type MoveProgress = (table: string, rows: number) => void;

/** The row's number, under a name that no column has. */
const row_number = 'moved_rowid';

const own_names =
  "name not like 'sqlite\\_%' escape '\\' and name not like 'stoa\\_migration%' escape '\\'";

/** The tables of a SQLite database in the order in which they were made, so that what is referred to comes first. */
async function listTables(from: Db): Promise<{ plain: Table[]; indexes: string[] }> {
  const { rows } = await sql<{ name: string; kind: string; has_no_number: number }>`
    select name, listed.type as kind, listed.wr as has_no_number
    from sqlite_master join pragma_table_list as listed using (name)
    where sqlite_master.type = 'table' and listed.schema = 'main' and ${sql.raw(own_names)}
    order by sqlite_master.rowid`.execute(from);
  const plain: Table[] = [];
  for (const { name, kind, has_no_number } of rows) {
    if (kind !== 'table') continue;
    const { rows: columns } = await sql<{ name: string; place: number }>`
      select name, pk as place from pragma_table_info(${name}) order by cid`.execute(from);
    const key = columns.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
    plain.push({
      name,
      columns: columns.map((column) => column.name),
      order: has_no_number ? key.map((column) => column.name) : [row_number],
    });
  }
  const indexes = rows.filter(({ kind }) => kind === 'virtual').map(({ name }) => name);
  return { plain, indexes };
}

/** A page of a SQLite table, after the row `last`. */
async function readPage(
  from: Db,
  { name, columns, order }: Table,
  last: Row | undefined,
): Promise<Row[]> {
  const is_numbered = order[0] === row_number;
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const keys = sql.join(is_numbered ? [sql.ref('rowid')] : order.map((column) => sql.ref(column)));
  const after = last
    ? sql`where (${keys}) > (${sql.join(order.map((column) => last[column]))})`
    : sql``;
  const numbered = is_numbered ? sql`, rowid as ${sql.ref(row_number)}` : sql``;
  const page = sql<Row>`select ${list}${numbered} from ${sql.table(name)} ${after}
    order by ${keys} limit ${page_rows}`;
  return (await page.execute(from)).rows;
}

/** What rows amount to, in whichever order they come. */
class Sum {
  rows = 0;
  #digests = 0n;

  add(values: readonly unknown[]): void {
    const texts = values.map((value) =>
      value instanceof Uint8Array ? { octets: Buffer.from(value).toString('base64') } : value,
    );
    this.rows += 1;
    this.#digests += BigInt(`0x${hash('sha256', JSON.stringify(texts))}`);
  }

  equals(other: Sum): boolean {
    return this.rows === other.rows && this.#digests === other.#digests;
  }
}

async function copyTable(from: Db, to: Db, table: Table, progress: MoveProgress): Promise<Sum> {
  const { name, columns } = table;
  const statement_rows = Math.min(page_rows, Math.floor(parameters_max / columns.length));
  const sum = new Sum();
  let last: Row | undefined;
  do {
    const page = await readPage(from, table, last);
    last = page.length < page_rows ? undefined : page.at(-1);
    const rows = page.map((row) => {
      sum.add(columns.map((column) => row[column]));
      return Object.fromEntries(columns.map((column) => [column, row[column]]));
    });
    for (let at = 0; at < rows.length; at += statement_rows) {
      await to
        .insertInto(name)
        .values(rows.slice(at, at + statement_rows))
        .execute();
    }
    if (last && sum.rows % progress_rows === 0) progress(`${name}, so far`, sum.rows);
  } while (last);
  return sum;
}

/** What a PostgreSQL table holds, read to its end. */
async function sumTable(to: Db, { name, columns }: Table): Promise<Sum> {
  const sum = new Sum();
  const list = sql.join(columns.map((column) => sql.ref(column)));
  // Named for its table: PostgreSQL remembers of a statement what its rows look like.
  const cursor = sql.ref(`move_${name}`);
  await sql`declare ${cursor} no scroll cursor for select ${list} from ${sql.table(name)}`.execute(
    to,
  );
  for (;;) {
    const fetch = sql<Row>`fetch forward ${sql.lit(page_rows)} from ${cursor}`;
    const { rows } = await fetch.execute(to);
    for (const row of rows) sum.add(columns.map((column) => row[column]));
    if (rows.length < page_rows) break;
  }
  await sql`close ${cursor}`.execute(to);
  return sum;
}

const countRows = async (db: Db, table: string): Promise<number> => {
  const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
    db,
  );
  return counted.rows[0]?.n ?? 0;
};

/** The tables of the PostgreSQL database, without those that say which migrations it had. */
export async function listPostgresTables(to: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name
    from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(to);
  return rows.map(({ name }) => name);
}

/** The first of the database's tables that has a row; of a migration no row counts. */
export async function findFilledTable(to: Db): Promise<string | undefined> {
  for (const name of await listPostgresTables(to)) {
    if (name.startsWith('stoa_migration')) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(to);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/**
 * Copies every row of the SQLite database `from` to the PostgreSQL database `to`, which had the same
 * migrations and has no rows, reads all back and compares. What SQLite keeps as an index of its own kind,
 * `settle` copies. Both are within one transaction each; `to` is as it was if this rejects and its
 * transaction is undone. Answers how many rows went.
 */
export async function moveRows(
  from: Db,
  to: Db,
  options: { progress: MoveProgress; settle: () => Promise<void> },
): Promise<number> {
  // Pages are short statements; what is long here is the whole, and it is meant to be.
  await sql`set local statement_timeout = 0`.execute(to);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(to);
  const { plain, indexes } = await listTables(from);
  let moved_rows = 0;
  for (const table of plain) {
    const sum = await copyTable(from, to, table, options.progress);
    if (!sum.equals(await sumTable(to, table))) {
      throw new Error(`the rows of ${table.name} are not the same in PostgreSQL`);
    }
    moved_rows += sum.rows;
    if (sum.rows > 0) options.progress(table.name, sum.rows);
  }
  await options.settle();
  for (const name of indexes) {
    const rows = await countRows(to, name);
    if (rows !== (await countRows(from, name))) {
      throw new Error(`${name} has not as many rows in PostgreSQL`);
    }
    moved_rows += rows;
    if (rows > 0) options.progress(name, rows);
  }
  // Until it has looked at the tables, PostgreSQL guesses how to read them.
  for (const name of await listPostgresTables(to))
    await sql`analyze ${sql.table(name)}`.execute(to);
  return moved_rows;
}
