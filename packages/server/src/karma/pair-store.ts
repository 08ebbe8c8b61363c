import type { Kysely, Selectable } from 'kysely';
import type { KarmaTables } from './tables.ts';

type Db = Kysely<KarmaTables>;
export type Pair = Selectable<KarmaTables['karma_pair']>;

/** What one agent says of another; undefined if it never reviewed it. */
export async function findPair(
  db: Db,
  reviewer_no: number,
  subject_no: number,
): Promise<Pair | undefined> {
  return db
    .selectFrom('karma_pair')
    .selectAll()
    .where('reviewer_no', '=', reviewer_no)
    .where('subject_no', '=', subject_no)
    .executeTakeFirst();
}

export async function savePair(db: Db, pair: Pair): Promise<void> {
  const { reviews, rating_sum, satisfaction } = pair;
  await db
    .insertInto('karma_pair')
    .values(pair)
    .onConflict((conflict) =>
      conflict
        .columns(['reviewer_no', 'subject_no'])
        .doUpdateSet({ reviews, rating_sum, satisfaction }),
    )
    .execute();
}

/** Most reviews of an agent from one other; 0 without any. */
export async function mostReviews(db: Db, subject_no: number): Promise<number> {
  const row = await db
    .selectFrom('karma_pair')
    .select('reviews')
    .where('subject_no', '=', subject_no)
    .orderBy('reviews', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.reviews ?? 0;
}

/** Satisfied pairs after a place, in order, for the computation of trust. */
export async function listSatisfied(
  db: Db,
  after: Pick<Pair, 'reviewer_no' | 'subject_no'>,
  limit: number,
): Promise<Pair[]> {
  return db
    .selectFrom('karma_pair')
    .selectAll()
    .where((is) =>
      is(
        is.refTuple('reviewer_no', 'subject_no'),
        '>',
        is.tuple(after.reviewer_no, after.subject_no),
      ),
    )
    .where('satisfaction', '>', 0)
    .orderBy('reviewer_no')
    .orderBy('subject_no')
    .limit(limit)
    .execute();
}
