import type { Deps } from '../../deps.ts';
import { RefusalError } from '../../refusal.ts';
import type { RoomAnswer } from '../../room.ts';
import { digestSecret, equalDigests } from '../../secrets.ts';
import { replayed } from '../idempotency/kept-answer.ts';
import type { KeyedRequest } from '../idempotency/keyed-request.ts';
import { findChallenge } from './challenge-store.ts';

type Kept = {
  readonly fingerprint: Buffer;
  readonly id: string;
  readonly answer: RoomAnswer;
  /** Unix seconds. */
  readonly expires_at: number;
};

/**
 * Challenges as they were answered to requests with a key, in memory alone: their ids open other kept answers, so
 * they lie on no disk (D-FORUM-58). There are never more than may be issued within the life of one.
 */
export type KeptChallenges = {
  /** What is answered to a repeated request while its challenge can still be used. */
  replay(keyed: KeyedRequest): Promise<RoomAnswer | undefined>;
  keep(
    keyed: KeyedRequest,
    answer: RoomAnswer & { body: { id: string; expires_at: number } },
  ): void;
  size(): number;
};

export function openKeptChallenges({ clock, read }: Deps): KeptChallenges {
  const all = new Map<string, Kept>();
  const isOver = ({ expires_at }: Kept) => expires_at * 1_000 <= clock.now();
  return {
    size: () => all.size,
    async replay({ key_digest, fingerprint }) {
      const name = key_digest.toString('hex');
      const kept = all.get(name);
      if (!kept) return undefined;
      // A challenge that is spent or over helps nobody, so its key is free.
      if (isOver(kept) || !(await findChallenge(read, digestSecret(kept.id)))) {
        all.delete(name);
        return undefined;
      }
      if (!equalDigests(kept.fingerprint, fingerprint)) {
        throw new RefusalError('idempotency_conflict');
      }
      return { ...kept.answer, headers: replayed };
    },
    keep({ key_digest, fingerprint }, answer) {
      for (const [name, kept] of all) if (isOver(kept)) all.delete(name);
      const { id, expires_at } = answer.body;
      all.set(key_digest.toString('hex'), { fingerprint, id, answer, expires_at });
    },
  };
}
