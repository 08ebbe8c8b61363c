import { type Kysely, sql } from 'kysely';
import type { JobState, JobTables } from './jobs-tables.ts';

type Db = Kysely<JobTables>;

/** Adds a waiting job; if one of its kind and key waits already, that one waits no longer than this would. */
export async function insertJob(
  db: Db,
  job: { id: string; kind: string; key: string | null; payload: string; claimable_at: number },
): Promise<void> {
  await db
    .insertInto('job')
    .values({ ...job, state: 'waiting', attempt: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key', 'state'])
        .where('state', '=', sql.lit('waiting'))
        .doUpdateSet(({ ref }) => ({ claimable_at: ref('excluded.claimable_at') }))
        .whereRef('excluded.claimable_at', '<', 'job.claimable_at'),
    )
    .execute();
}

/** When the job of this kind that waits or runs was last begun. */
export async function findLive(
  db: Db,
  kind: string,
): Promise<{ id: string; state: JobState; started_at: number | null } | undefined> {
  return await db
    .selectFrom('job')
    .select(['id', 'state', 'started_at'])
    .where('kind', '=', kind)
    .where('state', '!=', 'failed')
    .executeTakeFirst();
}

export type Claimable = {
  /** Kinds that this worker can run. */
  kinds: readonly string[];
  /** Jobs that this worker is running. */
  busy_ids: readonly string[];
};

/** Jobs that a worker may take at their time: those whose key is not being run. */
function claimable(db: Db, { kinds, busy_ids }: Claimable) {
  const jobs = db
    .selectFrom('job as candidate')
    .where('candidate.kind', 'in', kinds)
    .where('candidate.claimable_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job as peer')
            .select('peer.id')
            .whereRef('peer.kind', '=', 'candidate.kind')
            .whereRef('peer.key', '=', 'candidate.key')
            .where('peer.state', '=', 'running')
            .whereRef('peer.id', '!=', 'candidate.id'),
        ),
      ),
    );
  return busy_ids.length > 0 ? jobs.where('candidate.id', 'not in', busy_ids) : jobs;
}

/** When the next job can be taken, in milliseconds; undefined if there is none. */
export async function findNextAt(db: Db, which: Claimable): Promise<number | undefined> {
  const row = await claimable(db, which)
    .select('candidate.claimable_at')
    .orderBy('candidate.claimable_at')
    .limit(1)
    .executeTakeFirst();
  return row?.claimable_at ?? undefined;
}

/** A job whose time has come. */
export type Candidate = {
  id: string;
  kind: string;
  state: JobState;
  attempt: number;
  started_at: number | null;
};

export async function listClaimable(
  db: Db,
  which: Claimable,
  now: number,
  limit: number,
): Promise<Candidate[]> {
  return await claimable(db, which)
    .select([
      'candidate.id',
      'candidate.kind',
      'candidate.state',
      'candidate.attempt',
      'candidate.started_at',
    ])
    .where('candidate.claimable_at', '<=', now)
    .orderBy('candidate.claimable_at')
    .limit(limit)
    .execute();
}

/** A job in the hands of a worker. A later run of it has another `attempt` or `worker`. */
export type Claim = { id: string; worker: string; attempt: number };

export type ClaimedJob = Claim & { kind: string; payload: string; started_at: number };

export async function claimJob(
  db: Db,
  id: string,
  claim: { worker: string; now: number; lease_ms: number },
): Promise<ClaimedJob> {
  const row = await db
    .updateTable('job')
    .set((job) => ({
      state: 'running',
      worker: claim.worker,
      attempt: job('attempt', '+', 1),
      started_at: claim.now,
      claimable_at: claim.now + claim.lease_ms,
    }))
    .where('id', '=', id)
    .returning(['kind', 'payload', 'attempt'])
    .executeTakeFirstOrThrow();
  return { ...row, id, worker: claim.worker, started_at: claim.now };
}

/** Lengthens the leases of `worker` on `ids`; answers those that it still holds. */
export async function extendLeases(
  db: Db,
  worker: string,
  ids: readonly string[],
  until: number,
): Promise<string[]> {
  const rows = await db
    .updateTable('job')
    .set({ claimable_at: until })
    .where('worker', '=', worker)
    .where('id', 'in', ids)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Lets what `worker` has claimed be taken at once, by anybody, but for `held_ids`, which it works on. */
export async function releaseOthers(
  db: Db,
  worker: string,
  held_ids: readonly string[],
  now: number,
): Promise<void> {
  const mine = db.updateTable('job').set({ claimable_at: now }).where('worker', '=', worker);
  await (held_ids.length > 0 ? mine.where('id', 'not in', held_ids) : mine).execute();
}

const claimed = ({ id, worker, attempt }: Claim) => ({ id, worker, attempt });

/** Deletes a job that its worker has done; nothing if another has taken it over. */
export async function deleteJob(db: Db, claim: Claim): Promise<void> {
  await db
    .deleteFrom('job')
    .where((job) => job.and(claimed(claim)))
    .execute();
}

/** Lets a claimed job wait until `at`; if another of its kind and key waits already, that one stands for both. */
export async function postponeJob(
  db: Db,
  claim: Claim,
  to: { at: number; attempt: number },
): Promise<void> {
  const deleted = await db
    .deleteFrom('job')
    .where((job) => job.and(claimed(claim)))
    .where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('job as peer')
          .select('peer.id')
          .where('peer.kind', '=', ref('job.kind'))
          .where('peer.key', '=', ref('job.key'))
          .where('peer.state', '=', 'waiting'),
      ),
    )
    .executeTakeFirst();
  if (deleted.numDeletedRows > 0n) return;
  await db
    .updateTable('job')
    .set({ state: 'waiting', worker: null, claimable_at: to.at, attempt: to.attempt })
    .where((job) => job.and(claimed(claim)))
    .execute();
}

/** Moves the time of a job that nobody is running. */
export async function moveJob(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ state: 'waiting', worker: null, claimable_at: at })
    .where('id', '=', id)
    .execute();
}

const gaveUp = (failed_at: number, reason: string) => ({
  state: 'failed' as const,
  worker: null,
  claimable_at: null,
  failed_at,
  reason,
});

/** Gives up a claimed job. */
export async function failJob(db: Db, claim: Claim, now: number, reason: string): Promise<void> {
  await db
    .updateTable('job')
    .set(gaveUp(now, reason))
    .where((job) => job.and(claimed(claim)))
    .execute();
}

/** Gives up a job whose workers went away. */
export async function failLostJob(db: Db, id: string, now: number, reason: string): Promise<void> {
  await db.updateTable('job').set(gaveUp(now, reason)).where('id', '=', id).execute();
}

/** Forgets the jobs that were given up at `before` or earlier. */
export async function deleteFailed(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('job')
    .where('state', '=', 'failed')
    .where('failed_at', '<=', before)
    .execute();
}
