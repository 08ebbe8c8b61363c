import { addWeighted, scoreOfSums, weightBetween } from '@stoa/proof/karma';
import type { Db } from '../storage/storage.ts';
import { getAgent, saveSums } from './agent-store.ts';
import {
  deleteSpread,
  listReviewed,
  type Reviewed,
  type Spread,
  saveSpread,
} from './spread-store.ts';

/** Scores are stored in thousandths. */
export const thousandths = (score: number): number => Math.round(score * 1_000);

/** With how many received reviews a reviewer's weight stands in the sums of a subject. */
export function countedFor(
  spread: Spread | undefined,
  subject_no: number,
  received: number,
): number {
  if (!spread) return received;
  return subject_no <= spread.cursor ? spread.target : spread.counted;
}

/** Brings the sums of these subjects from a reviewer's old weight to its new one. */
async function reweigh(
  db: Db,
  subjects: readonly Reviewed[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  const difference = weightBetween(from, to);
  for (const subject of subjects) {
    addWeighted(subject, difference, subject);
    subject.score = thousandths(scoreOfSums(subject));
  }
  await saveSums(db, subjects);
}

/**
 * A reviewer has received another number of reviews than before: brings its new weight to all whom it
 * reviewed, at once if they are at most `inline_max`. If there are more, or if an earlier weight is still
 * on its way, writes down that the weight is to be spread, and answers true.
 */
export async function spreadWeight(
  db: Db,
  reviewer: { number: number; subjects: number; from: number; to: number; spread?: Spread },
  inline_max: number,
): Promise<boolean> {
  const { number, subjects, from, to, spread } = reviewer;
  if (subjects === 0) return false;
  // It goes on until it has brought what the reviewer then weighs.
  if (spread) return true;
  if (subjects <= inline_max) {
    await reweigh(db, await listReviewed(db, number, 0, inline_max), { from, to });
    return false;
  }
  await saveSpread(db, { reviewer_no: number, counted: from, target: to, cursor: 0 });
  return true;
}

/** Brings a weight that is on its way to the next subjects. */
export async function continueSpread(db: Db, spread: Spread, batch: number): Promise<void> {
  const { reviewer_no, counted, target, cursor } = spread;
  const subjects = await listReviewed(db, reviewer_no, cursor, batch);
  await reweigh(db, subjects, { from: counted, to: target });
  if (subjects.length === batch) {
    const last = subjects.at(-1)?.number ?? cursor;
    await saveSpread(db, { ...spread, cursor: last });
    return;
  }
  const { received } = await getAgent(db, reviewer_no);
  if (received === target) await deleteSpread(db, reviewer_no);
  // It was reviewed again meanwhile.
  else await saveSpread(db, { reviewer_no, counted: target, target: received, cursor: 0 });
}
