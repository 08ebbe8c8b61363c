import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { RefusalError } from '../../refusal.ts';
import { digestSecret, equalDigests, keyedDigest } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import { countAttempt } from '../attempts/count-attempt.ts';
import type { Forum } from '../forum.ts';
import {
  challenge_seconds,
  challenges_of_address,
  challenges_of_service,
  difficulty_bits,
  live_challenges_max,
} from '../limits.ts';
import type { CurrentPolicy } from '../policy/current-policy.ts';
import { type ChallengeRow, countLiveChallenges, insertChallenge } from './challenge-store.ts';

type Shown = Static<typeof forum_schemas.Challenge>;

const id_bytes = 16;
const seed_bytes = 32;

/** What a challenge is for. */
export type Purpose = {
  /** Of an upgrade: whose; null for a new account. */
  readonly account_id: number | null;
  readonly handle: string;
  readonly tier: 'guest' | 'full';
  /** The network address to which it is bound. */
  readonly client: string;
};

/** What is stored of the network address that a challenge is bound to (D-FORUM-19). */
const clientDigest = ({ house_key }: Pick<Forum, 'house_key'>, client: string): Buffer =>
  keyedDigest(house_key, `forum challenge ${client}`);

/** Issues a challenge, if the address, the service and the number of live ones allow it. */
export async function issueChallenge(
  forum: Forum,
  tx: Tx,
  { account_id, handle, tier, client }: Purpose,
  policy: CurrentPolicy,
): Promise<Shown> {
  const { random, issuer } = forum;
  const now = forum.nowSeconds();
  await refuseWhenFull(tx, now);
  await countAttempt(forum, tx, [
    { limit: challenges_of_address, key: client },
    { limit: challenges_of_service, key: '' },
  ]);
  const id = `ch_${random.bytes(id_bytes).toString('hex')}`;
  const seed = random.bytes(seed_bytes).toString('hex');
  const expires_at = now + challenge_seconds;
  await issuer.vouch(tx);
  await insertChallenge(tx.db, {
    id_digest: digestSecret(id),
    process: issuer.name,
    account_id,
    client_digest: clientDigest(forum, client),
    seed,
    handle,
    tier,
    policy_sha256: policy.sha256,
    expires_at,
  });
  return {
    id,
    seed,
    handle,
    tier,
    policy_sha256: policy.sha256,
    policy_version: policy.version,
    difficulty_bits: difficulty_bits[tier],
    expires_at,
  };
}

async function refuseWhenFull(tx: Tx, now: number): Promise<void> {
  const { count, first_over_at } = await countLiveChallenges(tx.db, now);
  if (count < live_challenges_max) return;
  const retry_after_ms = ((first_over_at ?? now) - now) * 1_000;
  throw new RefusalError('challenges_full', { retry_after_ms });
}

/** Whether a challenge that was taken is good for this: live, issued for it, to this address, by a process that lives. */
export async function isUsable(
  forum: Forum,
  tx: Tx,
  challenge: ChallengeRow,
  { account_id, client }: Pick<Purpose, 'account_id' | 'client'>,
): Promise<boolean> {
  return (
    challenge.expires_at > forum.nowSeconds() &&
    challenge.account_id === account_id &&
    equalDigests(challenge.client_digest, clientDigest(forum, client)) &&
    (await forum.issuer.isAlive(tx, challenge.process))
  );
}
