import type { Kysely, Selectable } from 'kysely';
import type { KarmaTables } from './tables.ts';

type Db = Kysely<KarmaTables>;
export type Day = Selectable<KarmaTables['karma_day']>;

/** The newest days on which an agent received reviews, newest first; all of them without a limit. */
export async function listDays(db: Db, subject_no: number, limit?: number): Promise<Day[]> {
  const days = db
    .selectFrom('karma_day')
    .selectAll()
    .where('subject_no', '=', subject_no)
    .orderBy('day', 'desc');
  return (limit === undefined ? days : days.limit(limit)).execute();
}

export async function saveDay(db: Db, saved: Day): Promise<void> {
  const { reviews, rating_sum, score } = saved;
  await db
    .insertInto('karma_day')
    .values(saved)
    .onConflict((conflict) =>
      conflict.columns(['subject_no', 'day']).doUpdateSet({ reviews, rating_sum, score }),
    )
    .execute();
}
