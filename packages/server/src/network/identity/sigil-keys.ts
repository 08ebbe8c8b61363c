import type { Cache } from '../../cache/caches.ts';
import type { Deps } from '../../deps.ts';
import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { accounts_kept_max } from '../limits.ts';
import type { Network } from '../network.ts';
import {
  insertActiveKey,
  listHolders,
  listKeysOf,
  revokeActiveKey,
  type SigilKey,
} from './sigil-store.ts';

/**
 * How a key stands with an account: `first` when the account never had one, `different` when it has or had
 * another, `revoked` when anybody has revoked it (D-NET-15).
 */
export type KeyStanding = 'active' | 'first' | 'different' | 'revoked';

/** The key register, from memory where it is known. */
export type SigilKeys = {
  /** How a key stands with an account, as it is committed. */
  standing(account: string, key: Buffer): Promise<KeyStanding>;
  /** The same as a unit of work sees it. */
  standingWithin(tx: Tx, account: string, key: Buffer): Promise<KeyStanding>;
  /** Makes a key the one of its account that counts; the account must have no other that does. */
  insertActive(tx: Tx, key: Pick<SigilKey, 'account' | 'key' | 'since'>): Promise<void>;
  /** Revokes the key of an account that counts, and ends every session that it opened. */
  revokeActive(tx: Tx, of: { account: string; since: number }): Promise<void>;
};

/** Opens what the network keeps of the key register in memory. */
export function openSigilKeys({ caches }: Pick<Deps, 'caches'>): SigilKeys {
  const entries_max = accounts_kept_max;
  const by_account = caches.open<SigilKey[]>({
    name: 'net-sigil-account',
    entries_max,
    load: (account, db) => listKeysOf(db, { account }),
  });
  const by_key = caches.open<SigilKey[]>({
    name: 'net-sigil-key',
    entries_max,
    load: (digits, db) => listHolders(db, { key: Buffer.from(digits, 'hex') }),
  });
  async function standing(
    account: string,
    key: Buffer,
    read: (cache: Cache<SigilKey[]>, key: string) => Promise<SigilKey[] | undefined>,
  ): Promise<KeyStanding> {
    const holders = (await read(by_key, key.toString('hex'))) ?? [];
    if (holders.some(({ status }) => status === 'revoked')) return 'revoked';
    if (holders.some((holder) => holder.account === account)) return 'active';
    return (await read(by_account, account))?.length ? 'different' : 'first';
  }
  const changed = (tx: Tx, account: string, key: Buffer) => {
    by_account.forget(tx, account);
    by_key.forget(tx, key.toString('hex'));
  };
  return {
    standing: (account, key) => standing(account, key, (cache, of) => cache.get(of)),
    standingWithin: (tx, account, key) =>
      standing(account, key, (cache, of) => cache.within(tx, of)),
    async insertActive(tx, active) {
      changed(tx, active.account, active.key);
      await insertActiveKey(tx.db, active);
    },
    async revokeActive(tx, of) {
      const revoked = await revokeActiveKey(tx.db, of);
      if (revoked) changed(tx, of.account, revoked);
    },
  };
}

/**
 * Refuses with `key_revoked` the key of a card that is revoked or is not the account's own, and with
 * `key_check_unavailable` when that cannot be asked (NET-115, NET-116, NET-118). With Sigil off every key
 * passes (NET-119). To be called before the signature is verified.
 */
export async function requireCountingKey(
  { sigil_keys, settings, logger }: Network,
  { account }: Account,
  key: Buffer,
): Promise<void> {
  if (!settings.sigil) return;
  let standing: KeyStanding;
  try {
    standing = await sigil_keys.standing(account, key);
  } catch (error) {
    logger.warn({ err: error }, 'Sigil could not be asked');
    throw new RefusalError('key_check_unavailable');
  }
  if (standing === 'revoked' || standing === 'different') throw new RefusalError('key_revoked');
}

/**
 * Makes a key by which a signature has verified the account's own, if it never had one (NET-117); refuses
 * with `key_revoked` if it does not count any more. To be called in the unit of work that stores what was
 * signed.
 */
export async function settleKey(
  { clock, settings, sigil_keys }: Network,
  tx: Tx,
  { account }: Account,
  key: Buffer,
): Promise<void> {
  if (!settings.sigil) return;
  const standing = await sigil_keys.standingWithin(tx, account, key);
  if (standing === 'active') return;
  if (standing !== 'first') throw new RefusalError('key_revoked');
  await sigil_keys.insertActive(tx, { account, key, since: clock.now() });
}
