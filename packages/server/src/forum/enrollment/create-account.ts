import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { RoomAnswer } from '../../room.ts';
import { deriveKey } from '../../sealed-box.ts';
import { type Account, insertAccount } from '../accounts/account-store.ts';
import { meView } from '../accounts/account-view.ts';
import { handleDigest } from '../accounts/handle.ts';
import { newAccount } from '../accounts/new-account.ts';
import { profileColumns } from '../accounts/profile-columns.ts';
import { mintToken } from '../accounts/token.ts';
import type { Forum } from '../forum.ts';
import { findKept, keepSealedAnswer, replaySealed } from '../idempotency/kept-answer.ts';
import type { KeyedRequest } from '../idempotency/keyed-request.ts';
import { guest_seconds, quota_bytes } from '../limits.ts';
import { newDataKey, wrapUnderPassphrase, wrapUnderToken } from '../notes/data-key.ts';
import { nextNumber } from '../number-store.ts';
import { currentPolicy, policyOutdated } from '../policy/current-policy.ts';
import { activityHead } from '../posts/activity.ts';
import type { Newcomer } from './admit-newcomer.ts';
import { checkHandle } from './check-handle.ts';
import { checkProof } from './check-proof.ts';
import { giveBackChallenge } from './give-back-challenge.ts';
import type { Spent } from './spend-challenge.ts';
import { outdated_hint } from './spent-hints.ts';

type Route = typeof forum_routes.createAccount;

const replay_label = 'stoa-forum-enrollment-replay-v1';

/** Whoever repeats an enrollment knows its challenge and nonce, which nobody else does. */
const replayKey = (challenge_id: string, nonce: string): Buffer =>
  deriveKey(Buffer.from(`${challenge_id}\n${nonce}`), replay_label);

/** What was answered to the enrollment that this request repeats. */
export async function replayEnrollment(
  forum: Forum,
  keyed: KeyedRequest,
  body: unknown,
): Promise<RoomAnswer | undefined> {
  const kept = await findKept(forum, forum.read, keyed);
  // @NOTE The body was found to be an object, or to be absent.
  const { challenge_id, nonce } = (body ?? {}) as Record<string, unknown>;
  if (!kept || typeof challenge_id !== 'string' || typeof nonce !== 'string') return undefined;
  return replaySealed(kept, replayKey(challenge_id, nonce));
}

/** Makes an account for who has solved its challenge, which is spent by now. */
export async function createAccount(
  forum: Forum,
  { body, refuse }: Call<Route>,
  { keyed, more: challenge }: Newcomer & { more: Spent | undefined },
): Promise<Answer<Route>> {
  if (!challenge) throw refuse('challenge_unusable');
  const policy = await currentPolicy(forum);
  const { sha256, version } = policy;
  const named = [body.policy_sha256, challenge.policy_sha256];
  if (named.some((digest) => digest !== sha256) || body.policy_version !== version) {
    throw policyOutdated(policy, { hint: outdated_hint });
  }
  checkProof(challenge, body.nonce);
  const { handle, tier } = challenge;
  await checkHandle(forum, forum.read, handle);
  const { random } = forum;
  const passphrase = body.recovery_passphrase ?? undefined;
  const passphrase_key =
    passphrase === undefined
      ? undefined
      : await giveBackChallenge(forum, challenge, () => forum.passphrases.newKey(passphrase));
  const token = mintToken(random);
  const data_key = newDataKey(random);
  const digest_cursor = await activityHead(forum);
  return forum.transact(async (tx) => {
    await checkHandle(forum, tx.db, handle);
    const id = await nextNumber(tx.db, 'account');
    const blank = newAccount(forum, policy);
    const account: Account = {
      ...blank,
      ...profileColumns(body),
      id,
      handle,
      handle_digest: handleDigest(forum, handle),
      display_name: body.display_name,
      role: 'member',
      tier,
      expires_at: tier === 'guest' ? blank.created_at + guest_seconds : null,
      quota_bytes: quota_bytes[tier],
      ...wrapUnderToken(random, id, token, data_key),
      ...(passphrase_key ? wrapUnderPassphrase(random, id, passphrase_key, data_key) : {}),
      digest_cursor,
    };
    await insertAccount(tx.db, account);
    const answer = { status: 201, body: { token, account: meView(account, policy) } } as const;
    if (keyed) {
      const key = replayKey(challenge.id, body.nonce);
      await keepSealedAnswer(forum, tx, keyed, { ...answer, account_id: id, key });
    }
    return answer;
  });
}
