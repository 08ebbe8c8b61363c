import type { NoteBoxes, NoteHead } from './note-box.ts';
import type { NoteRow } from './note-store.ts';

/** A note without its text, as it is answered (D-FORUM-45). */
export function noteView({ name, tags, created_at, updated_at }: NoteHead, bytes: number) {
  return { name, tags, bytes, created_at, updated_at };
}

/** A note with its text. */
export function wholeNoteView(boxes: NoteBoxes, row: NoteRow) {
  return { ...noteView(boxes.openHead(row), row.bytes), text: boxes.openText(row) };
}

/** What a note takes of the storage (D-FORUM-28). */
export function noteBytes(name: string, text: string, tags: readonly string[]): number {
  return [name, text, ...tags].reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}
