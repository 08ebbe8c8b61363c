import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { IdentityTables } from '../tables.ts';

type Db = Kysely<IdentityTables>;

export type SigilKey = Selectable<IdentityTables['net_sigil_key']>;
export type SigilSession = Selectable<IdentityTables['net_sigil_session']>;

/** The keys that an account has proved. */
export const listKeysOf = prepared<{ account: string }, SigilKey, Db>((db, { account }) =>
  db.selectFrom('net_sigil_key').selectAll().where('account', '=', account),
);

/** The accounts that have proved a key, each with its row. */
export const listHolders = prepared<{ key: Buffer }, SigilKey, Db>((db, { key }) =>
  db.selectFrom('net_sigil_key').selectAll().where('key', '=', key),
);

/** The last key of an account: the one that counts, else the one revoked last. */
export function findLatestKey(db: Db, account: string): Promise<SigilKey | undefined> {
  return db
    .selectFrom('net_sigil_key')
    .selectAll()
    .where('account', '=', account)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Makes a key the one of its account that counts; the account must have no other that does. */
export async function insertActiveKey(
  db: Db,
  { account, key, since }: Pick<SigilKey, 'account' | 'key' | 'since'>,
): Promise<void> {
  const position = ((await findLatestKey(db, account))?.position ?? 0) + 1;
  const row = { account, key, status: 'active' as const, position, since };
  await db.insertInto('net_sigil_key').values(row).execute();
}

/** Revokes the key of an account that counts, and ends every session that it opened. */
export async function revokeActiveKey(
  db: Db,
  { account, since }: { account: string; since: number },
): Promise<Buffer | undefined> {
  const revoked = await db
    .updateTable('net_sigil_key')
    .set({ status: 'revoked', since })
    .where('account', '=', account)
    .where('status', '=', 'active')
    .returning('key')
    .executeTakeFirst();
  if (revoked) await db.deleteFrom('net_sigil_session').where('key', '=', revoked.key).execute();
  return revoked?.key;
}

export async function insertSession(db: Db, session: SigilSession): Promise<void> {
  await db.insertInto('net_sigil_session').values(session).execute();
}

/** The session whose token has this digest, ended or not. */
export const findSession = prepared<{ digest: Buffer }, SigilSession, Db>((db, { digest }) =>
  db.selectFrom('net_sigil_session').selectAll().where('digest', '=', digest),
);

/** Notes that a challenge has worked; false if it had before. */
export async function spendChallenge(
  db: Db,
  { digest, expires_at }: { digest: Buffer; expires_at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('net_sigil_challenge')
    .values({ digest, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

/** Forgets challenges and sessions that have run out by `now`. */
export async function deleteEnded(db: Db, now: number): Promise<void> {
  await db.deleteFrom('net_sigil_challenge').where('expires_at', '<=', now).execute();
  await db.deleteFrom('net_sigil_session').where('expires_at', '<=', now).execute();
}
