import { type Kysely, sql } from 'kysely';
import type { LimitTables } from './limits-tables.ts';

type Db = Kysely<LimitTables>;

/** Rows deleted by one statement. */
export const swept_rows_max = 10_000;

export type BucketAttempt = {
  limiter: string;
  key: string;
  now: number;
  /** How far the attempt moves the instant at which the bucket is full. */
  cost_ms: number;
  /** How far that instant may lie ahead. */
  fill_ms: number;
};

/** Takes from a bucket, if it has enough, in one statement. PostgreSQL only. */
export async function takeFromBucket(
  db: Db,
  { limiter, key, now, cost_ms, fill_ms }: BucketAttempt,
): Promise<{ full_at: number; was_taken: boolean }> {
  const { rows } = await sql<{ full_at: number; was_taken: boolean }>`
    insert into limit_bucket as kept (limiter, key, full_at, was_taken)
    values (${limiter}, ${key}, ${now}::bigint + ${cost_ms}::bigint, true)
    on conflict (limiter, key) do update set (full_at, was_taken) = (
      select case when fits then wanted else kept.full_at end, fits
      from (select greatest(kept.full_at, ${now}::bigint) + ${cost_ms}::bigint as wanted) as attempt,
        lateral (select wanted - ${now}::bigint <= ${fill_ms}::bigint as fits) as verdict
    )
    returning full_at, was_taken`.execute(db);
  return theRow(rows);
}

export async function findBucket(
  db: Db,
  limiter: string,
  key: string,
): Promise<{ full_at: number } | undefined> {
  return await db
    .selectFrom('limit_bucket')
    .select('full_at')
    .where('limiter', '=', limiter)
    .where('key', '=', key)
    .executeTakeFirst();
}

export async function deleteBucket(db: Db, limiter: string, key: string): Promise<void> {
  await db
    .deleteFrom('limit_bucket')
    .where('limiter', '=', limiter)
    .where('key', '=', key)
    .execute();
}

export type WindowAttempt = {
  limiter: string;
  key: string;
  now: number;
  limit: number;
  window_ms: number;
};

/**
 * Counts an attempt, if there is room, in one statement; answers how many count now, this one included
 * if it does, and the instant whose end makes room. PostgreSQL only.
 */
export async function countInWindow(
  db: Db,
  { limiter, key, now, limit, window_ms }: WindowAttempt,
): Promise<{ was_counted: boolean; count: number; blocking: number }> {
  const { rows } = await sql<{ was_counted: boolean; count: number; blocking: number }>`
    insert into limit_window as kept (limiter, key, instants, was_counted, over_at)
    values (${limiter}, ${key}, array[${now}::bigint], true, ${now}::bigint + ${window_ms}::bigint)
    on conflict (limiter, key) do update set (instants, was_counted, over_at) = (
      select case when fits then counting || greatest(kept.over_at - ${window_ms}::bigint, ${now}::bigint)
          else counting end,
        fits,
        case when fits then greatest(kept.over_at, ${now}::bigint + ${window_ms}::bigint)
          else kept.over_at end
      from (
          select array(
            select instant from unnest(kept.instants) as instant
            where instant > ${now}::bigint - ${window_ms}::bigint
            order by instant
          ) as counting
        ) as present,
        lateral (select cardinality(counting) < ${limit}::bigint as fits) as verdict
    )
    returning was_counted, cardinality(instants) as count,
      instants[greatest(1, cardinality(instants) - ${limit}::integer + 1)] as blocking`.execute(db);
  return theRow(rows);
}

/** Deletes rows of `limiter` that are as if they had never come; answers how many. */
export async function sweepBuckets(db: Db, limiter: string, now: number): Promise<number> {
  // Rows that another process is using or deleting are passed over, so that two sweeps cannot block
  // each other.
  const { numAffectedRows } = await sql`
    delete from limit_bucket where ctid = any (array(
      select ctid from limit_bucket where limiter = ${limiter} and full_at <= ${now}::bigint
      limit ${swept_rows_max} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes rows of `limiter` of which nothing counts any more; answers how many. */
export async function sweepWindows(db: Db, limiter: string, now: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from limit_window where ctid = any (array(
      select ctid from limit_window where limiter = ${limiter} and over_at <= ${now}::bigint
      limit ${swept_rows_max} for update skip locked
    ))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

function theRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error('an upsert answered no row');
  return row;
}
