import { type Kysely, sql } from 'kysely';
import { engineOf } from '../../storage/engine-of.ts';
import type { ChallengeTables } from '../tables.ts';

type Db = Kysely<ChallengeTables>;

/** What the database takes on disk. */
export async function databaseBytes(db: Db): Promise<number> {
  const size =
    engineOf(db) === 'sqlite'
      ? sql<{
          bytes: number;
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  const { rows } = await size.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/** Processes of the house that were alive at `since`, in milliseconds; at least the one that asks. */
export async function countProcesses(db: Db, since: number): Promise<number> {
  // One process has the file to itself, and one that ended just now may still be in it.
  if (engineOf(db) === 'sqlite') return 1;
  const { count } = await db
    .selectFrom('forum_process')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('seen_at', '>', since)
    .executeTakeFirstOrThrow();
  return Math.max(1, Number(count));
}
