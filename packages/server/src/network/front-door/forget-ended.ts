import { deleteEnded } from '../identity/sigil-store.ts';
import { day_ms } from '../limits.ts';
import type { Network } from '../network.ts';
import { deleteEndedBrowserSessions } from './browser-session-store.ts';

/** Forgets the sessions and challenges that have run out, and what is counted no more. */
export function forgetEnded({ clock, tallies, transact }: Network): Promise<void> {
  return transact(async (tx) => {
    const { db } = tx;
    const now = clock.now();
    await deleteEnded(db, now);
    await deleteEndedBrowserSessions(db, now);
    await tallies.forget(tx, now - day_ms);
  });
}
