import { deleteEndedSessions } from '../agents/session-store.ts';
import type { Bar } from '../bar.ts';
import { ended_kept_seconds } from '../limits.ts';
import { deleteChallenges, endExpired } from './challenge-store.ts';

/** Erases the answers of challenges whose time is over, and deletes what ended a day ago (D-BAR-24). */
export async function forgetEnded(bar: Bar): Promise<void> {
  const now = bar.clock.now();
  const kept_since = now - ended_kept_seconds * 1_000;
  await bar.transact(async ({ db }) => {
    await endExpired(db, now);
    await deleteChallenges(db, kept_since);
    await deleteEndedSessions(db, kept_since);
  });
}
