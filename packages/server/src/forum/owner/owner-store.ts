import type { Kysely } from 'kysely';
import type { AccountTables, OwnerTables } from '../tables.ts';

type Db = Kysely<OwnerTables & AccountTables>;
export type Session = OwnerTables['forum_owner_session'];

/** Keeps a link for signing in, and forgets those whose time is over at `now`. */
export async function insertLink(
  db: Db,
  link: OwnerTables['forum_owner_link'],
  now: number,
): Promise<void> {
  await db.deleteFrom('forum_owner_link').where('expires_at', '<=', now).execute();
  await db.insertInto('forum_owner_link').values(link).execute();
}

/** Takes a link away; true if it was there and its time is not over. */
export async function spendLink(db: Db, link_digest: Buffer, now: number): Promise<boolean> {
  const spent = await db
    .deleteFrom('forum_owner_link')
    .where('link_digest', '=', link_digest)
    .returning('expires_at')
    .executeTakeFirst();
  return spent !== undefined && now < spent.expires_at;
}

/** Begins a session in place of all others. */
export async function replaceSessions(db: Db, session: Session): Promise<void> {
  await db.deleteFrom('forum_owner_session').execute();
  await db.insertInto('forum_owner_session').values(session).execute();
}

export function findSession(db: Db, session_digest: Buffer): Promise<Session | undefined> {
  return db
    .selectFrom('forum_owner_session')
    .selectAll()
    .where('session_digest', '=', session_digest)
    .executeTakeFirst();
}

export async function touchSession(db: Db, session_digest: Buffer, seen_at: number): Promise<void> {
  await db
    .updateTable('forum_owner_session')
    .set({ seen_at })
    .where('session_digest', '=', session_digest)
    .execute();
}

export async function deleteSession(db: Db, session_digest: Buffer): Promise<void> {
  await db.deleteFrom('forum_owner_session').where('session_digest', '=', session_digest).execute();
}

/** The account of the owner. */
export function findOwner(db: Db) {
  return db.selectFrom('forum_account').selectAll().where('role', '=', 'owner').executeTakeFirst();
}

/** Accounts that are not deleted, after an id, in the order in which they were made. */
export function listAccounts(
  db: Db,
  { after, limit, handle }: { after: number; limit: number; handle: string | undefined },
) {
  const page = db
    .selectFrom('forum_account')
    .selectAll()
    .where('status', '!=', 'deleted')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  return (handle === undefined ? page : page.where('handle', '=', handle)).execute();
}

/** The handles of accounts that are not deleted, of those with one of these numbers or names in the audit trail. */
export async function listHandles(
  db: Db,
  { ids, audit_ids }: { ids: readonly number[]; audit_ids: readonly string[] },
): Promise<{ id: number; audit_id: string; handle: string }[]> {
  const rows = await db
    .selectFrom('forum_account')
    .select(['id', 'audit_id', 'handle'])
    .where(({ or, eb }) =>
      or([
        ...(ids.length === 0 ? [] : [eb('id', 'in', ids)]),
        ...(audit_ids.length === 0 ? [] : [eb('audit_id', 'in', audit_ids)]),
      ]),
    )
    .execute();
  return rows.flatMap(({ handle, ...row }) => (handle === null ? [] : [{ ...row, handle }]));
}

/** How many accounts there are of each tier and status. */
export async function countAccounts(db: Db) {
  const rows = await db
    .selectFrom('forum_account')
    .select(({ fn }) => ['tier', 'status', fn.countAll<number>().as('count')])
    .groupBy(['tier', 'status'])
    .execute();
  return rows.map(({ count, ...group }) => ({ ...group, count: Number(count) }));
}

export async function setRole(
  db: Db,
  id: number,
  role: 'member' | 'moderator' | 'administrator',
): Promise<void> {
  await db.updateTable('forum_account').set({ role }).where('id', '=', id).execute();
}

export async function setQuota(db: Db, id: number, quota_bytes: number): Promise<void> {
  await db.updateTable('forum_account').set({ quota_bytes }).where('id', '=', id).execute();
}
