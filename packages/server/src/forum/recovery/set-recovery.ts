import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import { setPassphrase } from '../accounts/secret-store.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { deleteSealedAnswersOf } from '../idempotency/kept-answer-store.ts';
import { openWithToken, wrapUnderPassphrase } from '../notes/data-key.ts';

/** Sets the passphrase that recovers the caller's account, in the place of the one before. */
export async function setRecovery(
  forum: Forum,
  { body }: Call<typeof forum_routes.setRecovery>,
  caller: Caller,
) {
  const { token } = caller;
  const account = await identify(forum, forum.read, token);
  const data_key = openWithToken(account, token);
  const derived = await forum.passphrases.newKey(body.passphrase);
  const wrap = wrapUnderPassphrase(forum.random, account.id, derived, data_key);
  return forum.transact(async (tx) => {
    const { id } = await identify(forum, tx.db, caller.token);
    await setPassphrase(tx.db, id, wrap);
    await deleteSealedAnswersOf(tx.db, id);
    return { status: 200, body: { recovery_set: true } } as const;
  });
}
