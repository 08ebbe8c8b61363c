import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import { addNotes } from '../accounts/note-count-store.ts';
import { takeStorage } from '../accounts/storage-room.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { callersBoxes } from './callers-boxes.ts';
import { nameOf } from './name-of.ts';
import { deleteNote as eraseNote, findHead } from './note-store.ts';

/** Deletes a note of the caller's, and gives its bytes back. */
export async function deleteNote(
  forum: Forum,
  call: Call<typeof forum_routes.deleteNote>,
  caller: Caller,
) {
  const name = nameOf(call);
  const boxes = await callersBoxes(forum, caller);
  const name_digest = boxes.nameDigest(name);
  return forum.transact(async (tx) => {
    const account = await identify(forum, tx.db, caller.token);
    const place = { account_id: account.id, name_digest };
    const note = await findHead(tx.db, place);
    if (!note) throw call.refuse('not_found');
    await eraseNote(tx.db, place);
    await addNotes(tx.db, account.id, -1);
    await takeStorage(forum, tx, account.id, 'notes', -note.bytes);
    return { status: 200, body: { deleted: true, name } } as const;
  });
}
