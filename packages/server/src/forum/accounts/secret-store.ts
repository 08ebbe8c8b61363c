import type { Kysely } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;
type Columns = AccountTables['forum_account'];

/** What belongs to a token: whoever sets one sets all of it. */
type TokenColumns = Pick<
  Columns,
  'token_digest' | 'token_salt' | 'token_wrap' | 'rotation_digest' | 'rotation_box'
>;

/**
 * Puts one token in the place of another, with the data key under it, in one statement: there is never none and
 * never two (D-FORUM-49). False if the old one is no longer the account's.
 */
export async function replaceToken(
  db: Db,
  {
    id,
    old_digest,
    token_made_at,
  }: { id: number; old_digest: Buffer | null; token_made_at: number },
  columns: TokenColumns,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('forum_account')
    .set({ ...columns, token_made_at })
    .where('id', '=', id)
    .where('token_digest', old_digest ? '=' : 'is', old_digest)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets, replaces or removes the way to the data key by passphrase. */
export async function setPassphrase(
  db: Db,
  id: number,
  wrap: Pick<Columns, 'passphrase_salt' | 'passphrase_wrap'> | null,
): Promise<void> {
  const none = { passphrase_salt: null, passphrase_wrap: null };
  await db
    .updateTable('forum_account')
    .set(wrap ?? none)
    .where('id', '=', id)
    .execute();
}
