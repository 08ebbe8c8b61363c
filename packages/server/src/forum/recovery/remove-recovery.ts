import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import { setPassphrase } from '../accounts/secret-store.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { deleteSealedAnswersOf } from '../idempotency/kept-answer-store.ts';

/** Removes the passphrase that recovers the caller's account, if one is set. */
export async function removeRecovery(
  forum: Forum,
  _call: Call<typeof forum_routes.removeRecovery>,
  caller: Caller,
) {
  return forum.transact(async (tx) => {
    const { id } = await identify(forum, tx.db, caller.token);
    await setPassphrase(tx.db, id, null);
    await deleteSealedAnswersOf(tx.db, id);
    return { status: 200, body: { recovery_set: false } } as const;
  });
}
