import type { Kysely } from 'kysely';
import type { AccountTables } from '../tables.ts';

type Db = Kysely<AccountTables>;

/** Counts so many notes of an account more, or fewer. */
export async function addNotes(db: Db, id: number, count: number): Promise<void> {
  await db
    .updateTable('forum_account')
    .set((row) => ({ note_count: row('note_count', '+', count) }))
    .where('id', '=', id)
    .execute();
}

/** Counts no notes of an account any more, and no bytes of them. */
export async function clearNotes(db: Db, id: number): Promise<void> {
  await db
    .updateTable('forum_account')
    .set({ note_count: 0, used_notes_bytes: 0 })
    .where('id', '=', id)
    .execute();
}
