import type { Deps } from '../../deps.ts';
import type { Tx } from '../../storage/storage.ts';
import { challenge_seconds, heartbeat_believed_ms, heartbeat_ms } from '../limits.ts';
import { deleteChallengesOfOthers, findHeartbeat, saveHeartbeat } from './challenge-store.ts';

/**
 * The processes of the house as they issue challenges: each has a name of its own from its start to its end, and
 * with it end the challenges that it issued (D-FORUM-20).
 */
export type Issuer = {
  readonly name: string;
  /** Says, with the unit of work that issues a challenge, that this process lives, and on as long as the challenge can be used. */
  vouch(tx: Tx): Promise<void>;
  /** Whether the process of this name lives. */
  isAlive(tx: Tx, name: string): Promise<boolean>;
};

const name_bytes = 16;

/** Begins as a process that has issued no challenge. */
export function openIssuer(deps: Deps): Issuer {
  const { clock, config, logger, random, transact } = deps;
  const name = random.bytes(name_bytes).toString('hex');
  // A SQLite file belongs to one process, which knows of itself that it lives.
  const has_others = config.database_url !== undefined;
  let vouches_until = 0;
  let is_beating = false;

  if (!has_others) {
    transact(({ db }) => deleteChallengesOfOthers(db, name)).catch((error) =>
      logger.error({ err: error }, 'challenges of before the start were not deleted'),
    );
  }

  function beatSoon(): void {
    is_beating = true;
    clock.after(heartbeat_ms, () => {
      is_beating = false;
      if (clock.now() >= vouches_until) return;
      beatSoon();
      // One that is missed is made up by the next.
      transact(({ db }) => saveHeartbeat(db, name, clock.now())).catch(() => {});
    });
  }

  return {
    name,
    async vouch({ db }) {
      if (!has_others) return;
      vouches_until = clock.now() + challenge_seconds * 1_000;
      await saveHeartbeat(db, name, clock.now());
      if (!is_beating) beatSoon();
    },
    async isAlive({ db }, other) {
      if (other === name) return true;
      const seen_at = has_others ? await findHeartbeat(db, other) : undefined;
      return seen_at !== undefined && clock.now() - seen_at < heartbeat_believed_ms;
    },
  };
}
