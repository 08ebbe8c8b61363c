import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { RefusalError } from '../../refusal.ts';
import { deriveKey } from '../../sealed-box.ts';
import { type Account, findAccount, findByHandle } from '../accounts/account-store.ts';
import { forgetMember } from '../accounts/members.ts';
import { replaceToken } from '../accounts/secret-store.ts';
import { mintToken } from '../accounts/token.ts';
import { countAttempt } from '../attempts/count-attempt.ts';
import type { Forum } from '../forum.ts';
import { findKept, keepSealedAnswer, replaySealed } from '../idempotency/kept-answer.ts';
import { deleteSealedAnswersOf, type KeptAnswer } from '../idempotency/kept-answer-store.ts';
import { no_rotation } from '../idempotency/rotation-replay.ts';
import { recoveries_of_address, recoveries_of_handle } from '../limits.ts';
import { openWithPassphrase, wrapUnderToken } from '../notes/data-key.ts';
import type { RecoveryRequest } from './admit-recovery.ts';

type RecoverCall = Call<typeof forum_routes.recoverAccount>;

const replay_label = 'stoa-forum-recovery-replay-v1';

const failed = ({ refuse }: RecoverCall): RefusalError =>
  refuse('recovery_failed', { headers: { 'www-authenticate': 'Bearer' } });

/** Gives a new token to who knows the passphrase of an account; every older one stops working. */
export async function recoverAccount(
  forum: Forum,
  call: RecoverCall,
  { client, keyed }: RecoveryRequest,
) {
  const { handle, passphrase } = call.body;
  // Under the key of another request nothing is tried.
  if (keyed) await findKept(forum, forum.read, keyed);
  await forum.transact((tx) =>
    countAttempt(forum, tx, [
      { limit: recoveries_of_address, key: client },
      { limit: recoveries_of_handle, key: handle },
    ]),
  );
  const { account, data_key, key } = await openAccount(forum, call, { handle, passphrase });
  const replay_key = deriveKey(key, replay_label);
  const token = mintToken(forum.random);
  const wrap = wrapUnderToken(forum.random, account.id, token, data_key);
  return forum.transact(async (tx) => {
    const now = await findAccount(tx.db, account.id);
    if (!now || !isOpenedBy(forum, now, account)) throw failed(call);
    const kept = keyed && (await findKept(forum, tx.db, keyed));
    const again = kept && replayRecovery(kept, replay_key);
    if (again) return again;
    const { id, token_digest: old_digest } = now;
    const replacement = { id, old_digest, token_made_at: forum.nowSeconds() };
    await replaceToken(tx.db, replacement, { ...wrap, ...no_rotation });
    forgetMember(forum, tx, now);
    await deleteSealedAnswersOf(tx.db, id);
    const answer = { status: 200, body: { token, id, handle } } as const;
    if (keyed)
      await keepSealedAnswer(forum, tx, keyed, { ...answer, account_id: id, key: replay_key });
    return answer;
  });
}

/**
 * The account that a handle and a passphrase open, with what of it they open. All that is no such pair is refused
 * alike, and after the same work.
 */
async function openAccount(
  forum: Forum,
  call: RecoverCall,
  { handle, passphrase }: { handle: string; passphrase: string },
): Promise<{ account: Account; data_key: Buffer; key: Buffer }> {
  const account = await findByHandle(forum.read, handle);
  const key = account?.passphrase_salt
    ? await forum.passphrases.key(passphrase, account.passphrase_salt)
    : await forum.passphrases.dummyKey(passphrase);
  const data_key = account && openWithPassphrase(account, key);
  if (!data_key || !isOpenedBy(forum, account, account)) throw failed(call);
  return { account, data_key, key };
}

/** Whether an account may be recovered, and still with the passphrase that opened it. */
function isOpenedBy({ nowSeconds }: Forum, account: Account, opened: Account): boolean {
  const { status, expires_at, passphrase_wrap } = account;
  if (status !== 'active' || (expires_at !== null && expires_at <= nowSeconds())) return false;
  return passphrase_wrap !== null && opened.passphrase_wrap?.equals(passphrase_wrap) === true;
}

function replayRecovery(kept: KeptAnswer, replay_key: Buffer) {
  // @NOTE The key was kept for a request to this very route, so what was answered is of its kind.
  return replaySealed(kept, replay_key) as
    | { status: 200; body: { token: string; id: number; handle: string } }
    | undefined;
}
