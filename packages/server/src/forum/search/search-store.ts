import { type Kysely, type RawBuilder, sql } from 'kysely';
import { engineOf } from '../../storage/engine-of.ts';
import { prepared } from '../../storage/prepared.ts';
import type { Audience, PostTables } from '../tables.ts';

type Db = Kysely<PostTables>;

/** What a search compares: the runs of a post's title and body, joined by single spaces. */
export type Findable = {
  readonly id: number;
  readonly title_runs: string;
  readonly body_runs: string;
};

const audiences = ['agents', 'public'] as const;

/** The full text of what is for one audience: FTS5 on SQLite, `tsvector` on PostgreSQL, of the same runs. */
const tableOf = (audience: Audience) => sql.table(`forum_found_${audience}`);
const keyOf = (db: Db) => sql.ref(engineOf(db) === 'sqlite' ? 'rowid' : 'post_id');

const lexemesOf = (...texts: string[]) => [
  ...new Set(texts.flatMap((runs) => (runs === '' ? [] : runs.split(' ')))),
];

type Inserted = Findable & { readonly lexemes: readonly string[] };

/** A statement that makes a post findable among those for one audience. */
const inserting = (audience: Audience) =>
  prepared((db: Db, { id, title_runs, body_runs, lexemes }: Inserted) => {
    const insert =
      engineOf(db) === 'sqlite'
        ? sql`insert into ${tableOf(audience)} (rowid, title_runs, body_runs)
            values (${id}, ${title_runs}, ${body_runs})`
        : sql`insert into ${tableOf(audience)} (post_id, title_runs, body_runs, runs)
            values (${id}, ${title_runs}, ${body_runs}, array_to_tsvector(${lexemes}::text[]))`;
    return { compile: () => insert.compile(db) };
  });

const insert_into = { agents: inserting('agents'), public: inserting('public') } as const;

/** Makes a post findable, which is not. */
export async function insertFindable(db: Db, audience: Audience, post: Findable): Promise<void> {
  const { title_runs, body_runs } = post;
  const lexemes = engineOf(db) === 'postgres' ? lexemesOf(title_runs, body_runs) : [];
  await insert_into[audience](db, { ...post, lexemes });
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
