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

/** The instants of a key that count now, in their order. PostgreSQL only. */
export async function listInWindow(
  db: Db,
  { limiter, key, now, window_ms }: WindowAttempt,
): Promise<number[]> {
  const { rows } = await sql<{ instant: number }>`
    select instant from limit_window, unnest(instants) as instant
    where limiter = ${limiter} and key = ${key} and instant > ${now}::bigint - ${window_ms}::bigint
    order by instant`.execute(db);
  return rows.map(({ instant }) => instant);
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

/** A name for a process, never given before. PostgreSQL only. */
export async function newHolder(db: Db): Promise<string> {
  const { rows } = await sql<{ holder: string }>`select gen_random_uuid()::text as holder`.execute(
    db,
  );
  return theRow(rows).holder;
}

/** A slot of a key, and who holds it. */
export type Place = {
  limiter: string;
  key: string;
  slot: number;
  /** Another one at each take, so that giving back twice takes nothing from who came after. */
  holder: string;
};

/** The total's row is locked before any slot's, in every statement, so that none waits for another in a ring. */
const lockTotal = (limiter: string) =>
  sql`select limiter, places from limit_total where limiter = ${limiter} for update`;

/** Begins to count the places of a limiter, if nobody has. PostgreSQL only. */
export async function insertTotal(db: Db, limiter: string): Promise<void> {
  await db
    .insertInto('limit_total')
    .values({ limiter, places: 0 })
    .onConflict((conflict) => conflict.column('limiter').doNothing())
    .execute();
}

export type PlaceAttempt = Place & { places_max: number; now: number; over_at: number };

/**
 * Takes a slot of a key if it is free and fewer than `places_max` are held in all, and counts it, in one
 * statement; undefined if nobody counts the places of this limiter yet. PostgreSQL only.
 */
export async function takePlace(
  db: Db,
  { limiter, key, slot, holder, places_max, now, over_at }: PlaceAttempt,
): Promise<{ has_room: boolean; was_taken: boolean } | undefined> {
  const { rows } = await sql<{ has_room: boolean; was_taken: boolean }>`
    with total as (${lockTotal(limiter)}), taken as (
      insert into limit_place as kept (limiter, key, slot, holder, over_at, was_empty)
      select limiter, ${key}, ${slot}::integer, ${holder}, ${over_at}::bigint, true
      from total where places < ${places_max}::bigint
      on conflict (limiter, key, slot) do update
        set holder = excluded.holder, over_at = excluded.over_at, was_empty = false
        where kept.over_at <= ${now}::bigint
      returning was_empty
    ), counted as (
      update limit_total set places = places + 1
      where limiter = (select limiter from total) and (select was_empty from taken)
    )
    select places < ${places_max}::bigint as has_room, exists (select from taken) as was_taken
    from total`.execute(db);
  return rows[0];
}

/**
 * Gives places of one limiter back and counts them no more, in one statement; those that are not held any
 * more are passed over. PostgreSQL only.
 */
export async function deletePlaces(
  db: Db,
  limiter: string,
  places: readonly Place[],
): Promise<void> {
  const keys = places.map(({ key }) => key);
  const holders = places.map(({ holder }) => holder);
  await sql`
    with total as (${lockTotal(limiter)}), gone as (
      delete from limit_place
      where limiter = (select limiter from total)
        and key = any (${keys}::text[]) and holder = any (${holders}::text[])
      returning slot
    )
    update limit_total set places = greatest(0, places - (select count(*) from gone))
    where limiter = (select limiter from total)`.execute(db);
}

/** Forgets places whose time has run out; answers how many. PostgreSQL only. */
export async function sweepPlaces(db: Db, limiter: string, now: number): Promise<number> {
  const { rows } = await sql<{ swept: number }>`
    with total as (${lockTotal(limiter)}), lapsed as (
      delete from limit_place where ctid = any (array(
        select ctid from limit_place
        where limiter = (select limiter from total) and over_at <= ${now}::bigint
        limit ${swept_rows_max} for update skip locked
      ))
      returning slot
    ), swept as (select count(*) as swept from lapsed)
    update limit_total set places = greatest(0, places - (select swept from swept))
    where limiter = (select limiter from total)
    returning (select swept from swept) as swept`.execute(db);
  return rows[0]?.swept ?? 0;
}

function theRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error('an upsert answered no row');
  return row;
}
