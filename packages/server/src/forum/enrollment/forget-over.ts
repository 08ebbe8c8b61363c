import { deleteOverAttempts } from '../attempts/attempt-store.ts';
import type { Forum } from '../forum.ts';
import { deleteOldKeptAnswers } from '../idempotency/kept-answer-store.ts';
import { challenge_seconds, kept_answer_ms } from '../limits.ts';
import { deleteOldHeartbeats, deleteOverChallenges } from './challenge-store.ts';

/** Deletes challenges, attempts and kept answers whose time is over, and processes that have no challenge open any more. */
export async function forgetOver(forum: Forum): Promise<void> {
  await forum.transact(async ({ db }) => {
    const now = forum.clock.now();
    await deleteOverChallenges(db, forum.nowSeconds());
    await deleteOldHeartbeats(db, now - challenge_seconds * 1_000);
    await deleteOverAttempts(db, now);
    await deleteOldKeptAnswers(db, now - kept_answer_ms);
  });
}
