import type { forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { callersBoxes } from './callers-boxes.ts';
import { nameOf } from './name-of.ts';
import { findNote } from './note-store.ts';
import { wholeNoteView } from './note-view.ts';

/** Reads a note of the caller's. */
export async function readNote(
  forum: Forum,
  call: Call<typeof forum_routes.readNote>,
  caller: Caller,
) {
  const name = nameOf(call);
  const boxes = await callersBoxes(forum, caller);
  const place = { account_id: caller.account.id, name_digest: boxes.nameDigest(name) };
  const row = await findNote(forum.read, place);
  if (!row) throw call.refuse('not_found');
  return { status: 200, body: wholeNoteView(boxes, row) } as const;
}
