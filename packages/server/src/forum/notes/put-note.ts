import { type forum_routes, forum_schemas } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import { addNotes } from '../accounts/note-count-store.ts';
import { takeStorage } from '../accounts/storage-room.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { notes_max } from '../limits.ts';
import { callersBoxes } from './callers-boxes.ts';
import { nameOf } from './name-of.ts';
import { findHead, putNote as storeNote } from './note-store.ts';
import { noteBytes, noteView } from './note-view.ts';
import { tagComplaint } from './tag-complaint.ts';

type PutCall = Call<typeof forum_routes.putNote>;

/** Refuses what the schema cannot say of a text and its tags. */
function checkFields({ refuse, body }: PutCall): void {
  const { text, tags } = body;
  const bytes = Buffer.byteLength(text);
  if (bytes > forum_schemas.note_text_bytes_max) {
    throw refuse('bad_request', {
      detail: `text has ${bytes} bytes of UTF-8; send at most ${forum_schemas.note_text_bytes_max}, and split longer texts`,
      more: { field: 'text' },
    });
  }
  const complaint = tags?.map(tagComplaint).find((each) => each !== undefined);
  if (complaint) {
    throw refuse('bad_request', { detail: `tags ${complaint}`, more: { field: 'tags' } });
  }
}

/** Writes a note, or replaces the whole of one. */
export async function putNote(forum: Forum, call: PutCall, caller: Caller) {
  const name = nameOf(call);
  checkFields(call);
  const { text } = call.body;
  const tags = call.body.tags ?? [];
  const boxes = await callersBoxes(forum, caller);
  const name_digest = boxes.nameDigest(name);
  const text_box = boxes.sealText(name_digest, text);
  const bytes = noteBytes(name, text, tags);
  return forum.transact(async (tx) => {
    const account = await identify(forum, tx.db, caller.token);
    const place = { account_id: account.id, name_digest };
    const old = await findHead(tx.db, place);
    const limit = notes_max[account.tier];
    if (!old && account.note_count >= limit) {
      throw call.refuse('note_limit', { more: { limit } });
    }
    await takeStorage(forum, tx, account.id, 'notes', bytes - (old?.bytes ?? 0));
    const now = forum.nowSeconds();
    const created_at = old ? boxes.openHead(old).created_at : now;
    const head = { name, tags, created_at, updated_at: now };
    await storeNote(tx.db, {
      ...place,
      bytes,
      head_box: boxes.sealHead(name_digest, head),
      text_box,
    });
    if (!old) await addNotes(tx.db, account.id, 1);
    return { status: old ? 200 : 201, body: noteView(head, bytes) } as const;
  });
}
