import type { Kysely } from 'kysely';
import type { AccountTables } from '../tables.ts';

/** Moves the mark up to which an account has handled its digest, never back; answers where it is then. */
export async function moveDigestCursor(
  db: Kysely<AccountTables>,
  account_id: number,
  cursor: number,
): Promise<number> {
  await db
    .updateTable('forum_account')
    .set({ digest_cursor: cursor })
    .where('id', '=', account_id)
    .where('digest_cursor', '<', cursor)
    .execute();
  const { digest_cursor } = await db
    .selectFrom('forum_account')
    .select('digest_cursor')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow();
  return digest_cursor;
}
