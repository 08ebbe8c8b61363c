import type { Kysely, Selectable } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;
type Session = Selectable<AccountTables['net_browser_session']>;

export async function insertBrowserSession(db: Db, session: Session): Promise<void> {
  await db.insertInto('net_browser_session').values(session).execute();
}

/** The session whose cookie has this digest, ended or not. */
export function findBrowserSession(db: Db, digest: Buffer): Promise<Session | undefined> {
  return db
    .selectFrom('net_browser_session')
    .selectAll()
    .where('digest', '=', digest)
    .executeTakeFirst();
}

export async function deleteBrowserSession(db: Db, digest: Buffer): Promise<void> {
  await db.deleteFrom('net_browser_session').where('digest', '=', digest).execute();
}

/** Ends every session of an account. */
export async function deleteBrowserSessionsOf(db: Db, account: string): Promise<void> {
  await db.deleteFrom('net_browser_session').where('account', '=', account).execute();
}

/** Forgets sessions that have run out by `now`. */
export async function deleteEndedBrowserSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('net_browser_session').where('expires_at', '<=', now).execute();
}
