import type { Tx } from '../../storage/storage.ts';
import { clearNotes } from '../accounts/note-count-store.ts';
import type { Forum } from '../forum.ts';
import { deleteNotes } from './note-store.ts';

/** Erases all notes of an account and what they count for: it is deleted, or its data key is lost. */
export async function eraseNotesOf(
  { tallies }: Pick<Forum, 'tallies'>,
  tx: Tx,
  account_id: number,
): Promise<void> {
  await deleteNotes(tx.db, account_id);
  await clearNotes(tx.db, account_id);
  tallies.forget(tx, String(account_id));
}
