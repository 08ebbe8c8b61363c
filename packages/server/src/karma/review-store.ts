import type { Kysely, Selectable } from 'kysely';
import type { KarmaTables } from './tables.ts';

type Db = Kysely<KarmaTables>;
export type ReviewRow = Selectable<KarmaTables['karma_review']>;
/** A review with the ids of both sides. */
export type Review = ReviewRow & { readonly reviewer_id: string; readonly subject_id: string };

function selectReviews(db: Db) {
  return db
    .selectFrom('karma_review')
    .innerJoin('karma_agent as reviewer', 'reviewer.number', 'karma_review.reviewer_no')
    .innerJoin('karma_agent as subject', 'subject.number', 'karma_review.subject_no')
    .selectAll('karma_review')
    .select(['reviewer.agent_id as reviewer_id', 'subject.agent_id as subject_id']);
}

export async function findReview(db: Db, review_id: number): Promise<Review | undefined> {
  return selectReviews(db).where('review_id', '=', review_id).executeTakeFirst();
}

/** The reviews that an agent received, newest first. */
export async function listReceived(
  db: Db,
  subject_no: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<Review[]> {
  // What is passed over is passed over in the index alone.
  const ids = db
    .selectFrom('karma_review')
    .select('review_id')
    .where('subject_no', '=', subject_no)
    .orderBy('review_id', 'desc')
    .limit(limit)
    .offset(offset);
  return selectReviews(db).where('review_id', 'in', ids).orderBy('review_id', 'desc').execute();
}

export async function insertReview(db: Db, review: ReviewRow): Promise<void> {
  await db.insertInto('karma_review').values(review).execute();
}

/** The highest id of a review; 0 if there is none. */
export async function lastReview(db: Db): Promise<number> {
  const row = await db
    .selectFrom('karma_review')
    .select((of) => of.fn.max<number | null>('review_id').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

export async function isSignatureUsed(db: Db, signature: string): Promise<boolean> {
  const row = await db
    .selectFrom('karma_review')
    .select('review_id')
    .where('signature', '=', signature)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setReply(
  db: Db,
  review_id: number,
  reply: { text: string; signature: string; replied_at: number },
): Promise<void> {
  await db
    .updateTable('karma_review')
    .set({ reply: reply.text, reply_signature: reply.signature, replied_at: reply.replied_at })
    .where('review_id', '=', review_id)
    .execute();
}

export async function setWithdrawn(db: Db, review_id: number, withdrawn_at: number): Promise<void> {
  await db
    .updateTable('karma_review')
    .set({ withdrawn_at })
    .where('review_id', '=', review_id)
    .execute();
}

/** Whether anything was withdrawn since `instant`. */
export async function isWithdrawnSince(db: Db, instant: number): Promise<boolean> {
  const row = await db
    .selectFrom('karma_review')
    .select('review_id')
    .where('withdrawn_at', '>=', instant)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
