import { RefusalError } from '../../refusal.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Network } from '../network.ts';
import { insertActiveKey, listKeys, type SigilKey } from './sigil-store.ts';

/**
 * How a key stands with an account: `first` when the account never had one, `different` when it has or had
 * another, `revoked` when anybody has revoked it (D-NET-15).
 */
export type KeyStanding = 'active' | 'first' | 'different' | 'revoked';

function standingOf(keys: readonly SigilKey[], account: string, key: Buffer): KeyStanding {
  const same = keys.filter((one) => one.key.equals(key));
  if (same.some(({ status }) => status === 'revoked')) return 'revoked';
  const own = keys.filter((one) => one.account === account);
  if (own.length === 0) return 'first';
  return same.some((one) => one.account === account) ? 'active' : 'different';
}

/** How a key stands, as the rows of `db` say. */
export async function keyStanding(
  db: Db,
  { account, key }: { account: string; key: Buffer },
): Promise<KeyStanding> {
  return standingOf(await listKeys(db, { account, key }), account, key);
}

/**
 * Refuses with `key_revoked` the key of a card that is revoked or is not the account's own, and with
 * `key_check_unavailable` when that cannot be asked (NET-115, NET-116, NET-118). With Sigil off every key
 * passes (NET-119). To be called before the signature is verified.
 */
export async function requireCountingKey(
  { read, settings, logger }: Network,
  { account }: Account,
  key: Buffer,
): Promise<void> {
  if (!settings.sigil) return;
  const standing = await keyStanding(read, { account, key }).catch((error: unknown) => {
    logger.warn({ err: error }, 'Sigil could not be asked');
    throw new RefusalError('key_check_unavailable');
  });
  if (standing === 'revoked' || standing === 'different') throw new RefusalError('key_revoked');
}

/**
 * Makes a key by which a signature has verified the account's own, if it never had one (NET-117); refuses
 * with `key_revoked` if it does not count any more. To be called in the unit of work that stores what was
 * signed.
 */
export async function settleKey(
  { clock, settings }: Network,
  { db }: Tx,
  { account }: Account,
  key: Buffer,
): Promise<void> {
  if (!settings.sigil) return;
  const standing = await keyStanding(db, { account, key });
  if (standing === 'active') return;
  if (standing !== 'first') throw new RefusalError('key_revoked');
  await insertActiveKey(db, { account, key, since: clock.now() });
}
