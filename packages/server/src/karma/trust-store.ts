import type { Kysely, Selectable } from 'kysely';
import type { KarmaTables } from './tables.ts';

type Db = Kysely<KarmaTables>;
export type TrustRun = Selectable<KarmaTables['karma_trust_run']>;
export type Trust = Selectable<KarmaTables['karma_trust']>;

export async function findRun(db: Db): Promise<TrustRun | undefined> {
  return db.selectFrom('karma_trust_run').selectAll().where('id', '=', 1).executeTakeFirst();
}

/** Makes a run the one that counts. */
export async function saveRun(db: Db, run: TrustRun): Promise<void> {
  const { id, ...columns } = run;
  await db
    .insertInto('karma_trust_run')
    .values(run)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function deleteRun(db: Db): Promise<void> {
  await db.deleteFrom('karma_trust_run').execute();
}

export async function insertTrust(db: Db, rows: readonly Trust[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('karma_trust').values(rows).execute();
}

/** Deletes some rows of runs that do not count; false once there are none left. */
export async function deleteOtherRuns(db: Db, run: number, limit: number): Promise<boolean> {
  const other = await db
    .selectFrom('karma_trust')
    .select('run')
    .where('run', '!=', run)
    .limit(1)
    .executeTakeFirst();
  if (!other) return false;
  const some = db
    .selectFrom('karma_trust')
    .select('agent_no')
    .where('run', '=', other.run)
    .limit(limit);
  await db
    .deleteFrom('karma_trust')
    .where('run', '=', other.run)
    .where('agent_no', 'in', some)
    .execute();
  return true;
}

/** The numbers of those of these agents that are known. */
export async function listNumbers(db: Db, agent_ids: readonly string[]): Promise<number[]> {
  if (agent_ids.length === 0) return [];
  const rows = await db
    .selectFrom('karma_agent')
    .select('number')
    .where('agent_id', 'in', agent_ids)
    .execute();
  return rows.map(({ number }) => number);
}
