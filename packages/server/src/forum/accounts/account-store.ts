import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

export type Account = Selectable<AccountTables['forum_account']>;
export type AccountChange = Updateable<AccountTables['forum_account']>;

const selectByToken = prepared((db: Db, { token_digest }: { token_digest: Buffer }) =>
  db.selectFrom('forum_account').selectAll().where('token_digest', '=', token_digest),
);

/** The account whose token has this digest. */
export async function findByToken(db: Db, token_digest: Buffer): Promise<Account | undefined> {
  const [account] = await selectByToken(db, { token_digest });
  return account;
}

const member_columns = [
  'id',
  'role',
  'tier',
  'status',
  'expires_at',
  'accepted_policy_version',
  'accepted_policy_sha256',
  'rotation_digest',
] as const;

/** What of an account decides whether and where it is let in. */
export type Member = Pick<Account, (typeof member_columns)[number]>;

const selectMember = prepared((db: Db, { token_digest }: { token_digest: Buffer }) =>
  db.selectFrom('forum_account').select(member_columns).where('token_digest', '=', token_digest),
);

/** The same of the account whose token has this digest. */
export async function findMember(db: Db, token_digest: Buffer): Promise<Member | undefined> {
  const [member] = await selectMember(db, { token_digest });
  return member;
}

const selectById = prepared((db: Db, { id }: { id: number }) =>
  db.selectFrom('forum_account').selectAll().where('id', '=', id),
);

/** The account of this id, a tombstone too. */
export async function findAccount(db: Db, id: number): Promise<Account | undefined> {
  const [account] = await selectById(db, { id });
  return account;
}

/** The account that has this handle. */
export function findByHandle(db: Db, handle: string): Promise<Account | undefined> {
  return db.selectFrom('forum_account').selectAll().where('handle', '=', handle).executeTakeFirst();
}

/** The accounts that have one of these handles. */
export function listByHandles(
  db: Db,
  handles: readonly string[],
): Promise<Pick<Account, 'id' | 'handle' | 'status' | 'expires_at'>[]> {
  return db
    .selectFrom('forum_account')
    .select(['id', 'handle', 'status', 'expires_at'])
    .where('handle', 'in', handles)
    .execute();
}

/** The account whose last rotation is kept under this digest. */
export function findByRotation(db: Db, rotation_digest: Buffer): Promise<Account | undefined> {
  return db
    .selectFrom('forum_account')
    .selectAll()
    .where('rotation_digest', '=', rotation_digest)
    .executeTakeFirst();
}

/** Forgets the answer to a rotation, if it is still this one. */
export async function forgetRotation(db: Db, id: number, rotation_digest: Buffer): Promise<void> {
  await db
    .updateTable('forum_account')
    .set({ rotation_digest: null, rotation_box: null })
    .where('id', '=', id)
    .where('rotation_digest', '=', rotation_digest)
    .execute();
}

/** Whether a handle belonged to a full account that was deleted, or to a guest deleted after `guests_since`. */
export async function wasHandle(
  db: Db,
  handle_digest: Buffer,
  guests_since: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('forum_account')
    .select('id')
    .where('handle_digest', '=', handle_digest)
    .where((is) => is.or([is('tier', '=', 'full'), is('deleted_at', '>', guests_since)]))
    .where('status', '=', 'deleted')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the owner's account was made. */
export async function hasOwner(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('forum_account')
    .select('id')
    .where('role', '=', 'owner')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertAccount(
  db: Db,
  account: Insertable<AccountTables['forum_account']>,
): Promise<void> {
  await db.insertInto('forum_account').values(account).execute();
}

export async function updateAccount(db: Db, id: number, change: AccountChange): Promise<void> {
  await db.updateTable('forum_account').set(change).where('id', '=', id).execute();
}

/** Ids of guests whose time was over at `now`, the longest over first. */
export async function listExpiredGuests(db: Db, now: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('forum_account')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const usage_columns = [
  'quota_bytes',
  'used_posts_bytes',
  'used_notes_bytes',
  'used_sandbox_bytes',
] as const;

const selectUsage = prepared((db: Db, { id }: { id: number }) =>
  db.selectFrom('forum_account').select(usage_columns).where('id', '=', id),
);

/** What an account may store, and stores. */
export async function findUsage(db: Db, id: number) {
  const [usage] = await selectUsage(db, { id });
  if (!usage) throw new Error(`there is no account ${id}`);
  return usage;
}

/** A statement that adds to one of an account's sums. */
const adding = (column: 'used_posts_bytes' | 'used_notes_bytes' | 'used_sandbox_bytes') =>
  prepared((db: Db, { id, delta_bytes }: { id: number; delta_bytes: number }) =>
    db
      .updateTable('forum_account')
      .set({ [column]: sql`${sql.ref(column)} + ${delta_bytes}` })
      .where('id', '=', id),
  );

const add_to = {
  posts: adding('used_posts_bytes'),
  notes: adding('used_notes_bytes'),
  sandbox: adding('used_sandbox_bytes'),
} as const;

/** A statement that adds to the bytes of posts of so many accounts, given as ids and bytes one after the other. */
const addingPosts = (count: number) =>
  prepared((db: Db, given: readonly number[]) => {
    const rows = Array.from(
      { length: count },
      (_, row) => sql`(cast(${given[2 * row]} as bigint), cast(${given[2 * row + 1]} as bigint))`,
    );
    const update = sql`update forum_account set used_posts_bytes = used_posts_bytes + given.column2
      from (values ${sql.join(rows)}) as given where forum_account.id = given.column1`;
    return { compile: () => update.compile(db) };
  });

/** Accounts of one statement. */
const added_at_once = 64;
const add_posts = Array.from({ length: added_at_once }, (_, index) => addingPosts(index + 1));

/** Adds to the bytes of posts of many accounts, each of which is there once. */
export async function addPostsBytes(db: Db, added: ReadonlyMap<number, number>): Promise<void> {
  const all = [...added];
  for (let start = 0; start < all.length; start += added_at_once) {
    const some = all.slice(start, start + added_at_once);
    await add_posts[some.length - 1]?.(db, some.flat());
  }
}

/** Changes one of an account's sums. */
export async function addUsage(
  db: Db,
  id: number,
  kind: 'posts' | 'notes' | 'sandbox',
  delta_bytes: number,
): Promise<void> {
  await add_to[kind](db, { id, delta_bytes });
}
