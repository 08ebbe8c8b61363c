import type { Random } from '../../random.ts';
import { RefusalError } from '../../refusal.ts';
import { passphraseKey } from '../../secrets.ts';
import { passphrase_waiters_max, passphrases_at_once_max } from '../limits.ts';

const salt_bytes = 16;
const retry_after_ms = 2_000;

/** What argon2id made of a passphrase and a salt. */
export type PassphraseKey = { readonly key: Buffer; readonly salt: Buffer };

/** The only way to argon2id in the forum, each run of which takes 64 MiB and a core for a while. */
export type PassphraseGate = {
  /** The key of a passphrase under a salt. Refuses with `unavailable` when too many wait. */
  key(passphrase: string, salt: Buffer): Promise<Buffer>;
  /** The key of a passphrase that is being set, under a new salt. */
  newKey(passphrase: string): Promise<PassphraseKey>;
  /** Of an account that has no passphrase, so that trying one takes as long as of others. */
  dummyKey(passphrase: string): Promise<Buffer>;
};

/** At most two run at once and 16 wait, first come, first served (D-FORUM-50); what is derived comes from `derive`. */
export function passphraseGate(random: Random, derive = passphraseKey): PassphraseGate {
  const dummy_salt = random.bytes(salt_bytes);
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(): Promise<void> {
    if (running < passphrases_at_once_max) {
      running += 1;
      return;
    }
    if (waiting.length >= passphrase_waiters_max) {
      throw new RefusalError('unavailable', {
        detail: 'Too many passphrases are being checked at once.',
        retry_after_ms,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  async function key(passphrase: string, salt: Buffer): Promise<Buffer> {
    await enter();
    try {
      return await derive(passphrase, salt);
    } finally {
      leave();
    }
  }

  return {
    key,
    async newKey(passphrase) {
      const salt = random.bytes(salt_bytes);
      return { key: await key(passphrase, salt), salt };
    },
    dummyKey: (passphrase) => key(passphrase, dummy_salt),
  };
}
