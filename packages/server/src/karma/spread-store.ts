import type { Kysely, Selectable } from 'kysely';
import type { KarmaTables, Weighed } from './tables.ts';

type Db = Kysely<KarmaTables>;
export type Spread = Selectable<KarmaTables['karma_spread']>;

export async function findSpread(db: Db, reviewer_no: number): Promise<Spread | undefined> {
  return db
    .selectFrom('karma_spread')
    .selectAll()
    .where('reviewer_no', '=', reviewer_no)
    .executeTakeFirst();
}

/** Any reviewer whose weight is on its way. */
export async function firstSpread(db: Db): Promise<Spread | undefined> {
  return db
    .selectFrom('karma_spread')
    .selectAll()
    .orderBy('reviewer_no')
    .limit(1)
    .executeTakeFirst();
}

export async function saveSpread(db: Db, spread: Spread): Promise<void> {
  const { counted, target, cursor } = spread;
  await db
    .insertInto('karma_spread')
    .values(spread)
    .onConflict((conflict) =>
      conflict.column('reviewer_no').doUpdateSet({ counted, target, cursor }),
    )
    .execute();
}

export async function deleteSpread(db: Db, reviewer_no: number): Promise<void> {
  await db.deleteFrom('karma_spread').where('reviewer_no', '=', reviewer_no).execute();
}

/** A subject with its sums, and what the reviewer's reviews of it add up to. */
export type Reviewed = Weighed & { readonly reviews: number; readonly rating_sum: number };

/** Those that a reviewer reviewed, after the subject `cursor`, in the order of their numbers. */
export async function listReviewed(
  db: Db,
  reviewer_no: number,
  cursor: number,
  limit: number,
): Promise<Reviewed[]> {
  return db
    .selectFrom('karma_pair')
    .innerJoin('karma_agent', 'karma_agent.number', 'karma_pair.subject_no')
    .select([
      'karma_agent.number',
      'karma_agent.weight_high',
      'karma_agent.weight_low',
      'karma_agent.weighted_high',
      'karma_agent.weighted_low',
      'karma_agent.score',
      'karma_pair.reviews',
      'karma_pair.rating_sum',
    ])
    .where('karma_pair.reviewer_no', '=', reviewer_no)
    .where('karma_pair.subject_no', '>', cursor)
    .where('karma_pair.reviews', '>', 0)
    .orderBy('karma_pair.subject_no')
    .limit(limit)
    .execute();
}
