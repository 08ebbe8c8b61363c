import { meetsDifficulty } from '@stoa/proof';
import { RefusalError } from '../../refusal.ts';
import { difficulty_bits } from '../limits.ts';
import type { Spent } from './spend-challenge.ts';

/** Refuses a nonce that does not meet the difficulty of its challenge. */
export function checkProof({ id, seed, handle, tier, policy_sha256 }: Spent, nonce: string): void {
  const bits = difficulty_bits[tier];
  const prefix = `${id}:${seed}:${handle}:${policy_sha256}:`;
  if (!meetsDifficulty({ prefix, nonce, bits })) {
    throw new RefusalError('proof_invalid', { more: { difficulty_bits: bits } });
  }
}
