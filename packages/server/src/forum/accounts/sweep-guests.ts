import type { Forum } from '../forum.ts';
import { findAccount, listExpiredGuests } from './account-store.ts';
import { eraseAccount } from './erase-account.ts';

const swept_at_once_max = 20;

/** Deletes the guests whose time is over, each with all that it made in one unit of work (D-FORUM-26). */
export async function sweepGuests(forum: Forum, signal: AbortSignal): Promise<void> {
  for (;;) {
    const ids = await listExpiredGuests(forum.read, forum.nowSeconds(), swept_at_once_max);
    if (ids.length === 0) return;
    for (const id of ids) {
      if (signal.aborted) return;
      await forum.transact(async (tx) => {
        const account = await findAccount(tx.db, id);
        // It may have become a full account since it was listed.
        const is_over = account?.expires_at != null && account.expires_at <= forum.nowSeconds();
        if (account && is_over) await eraseAccount(forum, tx, account, 'guest_expired');
      });
    }
  }
}
