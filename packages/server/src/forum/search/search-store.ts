import { type Kysely, type RawBuilder, sql } from 'kysely';
import { engineOf } from '../../storage/engine-of.ts';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { Audience, PostTables } from '../tables.ts';

type Db = Kysely<PostTables>;

/** What a search compares: the runs of a post's title and body, joined by single spaces. */
export type Findable = {
  readonly id: number;
  readonly title_runs: string;
  readonly body_runs: string;
};

export const audiences = ['agents', 'public'] as const;

/** The full text of what is for one audience: FTS5 on SQLite, `tsvector` on PostgreSQL, of the same runs. */
const tableOf = (audience: Audience) => sql.table(`forum_found_${audience}`);
const keyOf = (db: Db) => sql.ref(engineOf(db) === 'sqlite' ? 'rowid' : 'post_id');

/** SQLite takes many rows by many parameters. */
const insertRows = (audience: Audience) =>
  preparedInsert<{ rowid: number } & Omit<Findable, 'id'>, Db>(`forum_found_${audience}`, [
    'rowid',
    'title_runs',
    'body_runs',
  ]);

type Columns = { ids: number[]; titles: string[]; bodies: string[] };

/** PostgreSQL takes them by one array for each column; a lexeme of a `tsvector` is what stands between two spaces. */
const insertColumns = (audience: Audience) =>
  prepared((db: Db, { ids, titles, bodies }: Columns) => {
    const insert = sql`insert into ${tableOf(audience)} (post_id, title_runs, body_runs, runs)
      select id, title_runs, body_runs,
        array_to_tsvector(array_remove(string_to_array(title_runs || ' ' || body_runs, ' '), ''))
      from unnest(${ids}::bigint[], ${titles}::text[], ${bodies}::text[]) as found (id, title_runs, body_runs)`;
    return { compile: () => insert.compile(db) };
  });

const insert_into = {
  agents: { rows: insertRows('agents'), columns: insertColumns('agents') },
  public: { rows: insertRows('public'), columns: insertColumns('public') },
} as const;

/** Makes posts findable, which are not. */
export async function insertFindable(
  db: Db,
  audience: Audience,
  posts: readonly Findable[],
): Promise<void> {
  const { rows, columns } = insert_into[audience];
  if (engineOf(db) === 'sqlite') {
    await rows(
      db,
      posts.map(({ id, ...runs }) => ({ rowid: id, ...runs })),
    );
    return;
  }
  await columns(db, {
    ids: posts.map(({ id }) => id),
    titles: posts.map(({ title_runs }) => title_runs),
    bodies: posts.map(({ body_runs }) => body_runs),
  });
}

/** Posts that are copied at once. */
const copied_posts = 500;

/** Makes findable in another database what is in this one. */
export async function copyFindable(from: Db, to: Db): Promise<void> {
  for (const audience of audiences) {
    let after = 0;
    for (;;) {
      const { rows } = await sql<Findable>`select ${keyOf(from)} as id, title_runs, body_runs
        from ${tableOf(audience)} where ${keyOf(from)} > ${after}
        order by ${keyOf(from)} limit ${copied_posts}`.execute(from);
      if (rows.length === 0) break;
      await insertFindable(to, audience, rows);
      after = rows.at(-1)?.id ?? after;
    }
  }
}

async function deleteFindable(db: Db, which: RawBuilder<unknown>): Promise<void> {
  for (const audience of audiences) {
    await sql`delete from ${tableOf(audience)} where ${keyOf(db)} in (${which})`.execute(db);
  }
}

export const deleteFindablePost = (db: Db, id: number) => deleteFindable(db, sql`${id}`);

export const deleteFindableThread = (db: Db, thread_id: number) =>
  deleteFindable(db, sql`select id from forum_post where thread_id = ${thread_id}`);

export const deleteFindableOf = (db: Db, author_id: number) =>
  deleteFindable(db, sql`select id from forum_post where author_id = ${author_id}`);

/** The condition under which a post has every one of `words`, each some runs that stand together. */
function hasAll(db: Db, audience: Audience, words: readonly (readonly string[])[]) {
  // Runs hold letters, digits and marks alone: nothing in them ends a quotation.
  if (engineOf(db) === 'sqlite') {
    const query = words.map((runs) => `"${runs.join(' ')}"`).join(' AND ');
    return sql<boolean>`${tableOf(audience)} match ${query}`;
  }
  const query = [...new Set(words.flat())].map((run) => `'${run}'`).join(' & ');
  // A `tsvector` keeps few of a run's places, so what stands together is looked up in the runs themselves.
  const together = words
    .filter((runs) => runs.length > 1)
    .map((runs) => ` ${runs.join(' ')} `)
    .map(
      (wanted) => sql`and (strpos(' ' || title_runs || ' ', ${wanted}) > 0
        or strpos(' ' || body_runs || ' ', ${wanted}) > 0)`,
    );
  return sql<boolean>`runs @@ ${query}::tsquery ${sql.join(together, sql` `)}`;
}

/** The newest posts for one audience that have every one of `words`. */
export async function listCandidates(
  db: Db,
  audience: Audience,
  words: readonly (readonly string[])[],
  limit: number,
): Promise<Findable[]> {
  const { rows } = await sql<Findable>`select ${keyOf(db)} as id, title_runs, body_runs
    from ${tableOf(audience)} where ${hasAll(db, audience, words)}
    order by ${keyOf(db)} desc limit ${limit}`.execute(db);
  return rows;
}

/** How many posts for one audience have a word, counted up to `max`. */
export async function countHaving(
  db: Db,
  audience: Audience,
  word: readonly string[],
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select ${keyOf(db)} from ${tableOf(audience)} where ${hasAll(db, audience, [word])}
    limit ${max}) as counted`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
