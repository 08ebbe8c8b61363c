import type { Forum } from '../forum.ts';
import { letOthers } from '../let-others.ts';
import { opened_heads_at_once, opened_texts_at_once } from '../limits.ts';
import type { NoteBoxes, NoteHead } from './note-box.ts';
import { listHeads, listNotes, type NoteRow } from './note-store.ts';

/** A note whose head was opened. */
export type OpenedHead = {
  readonly head: NoteHead;
  readonly name_digest: Buffer;
  readonly bytes: number;
};

/**
 * The heads of all notes of an account, in no order. They are opened some at a time, with time for others
 * in between: thousands take longer than anybody should wait for.
 */
export async function openHeads(
  { read }: Pick<Forum, 'read'>,
  account_id: number,
  boxes: NoteBoxes,
): Promise<OpenedHead[]> {
  const opened: OpenedHead[] = [];
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const page = { account_id, name_digest: after, limit: opened_heads_at_once };
    const rows = await listHeads(read, page);
    for (const row of rows) {
      const { name_digest, bytes } = row;
      opened.push({ head: boxes.openHead(row), name_digest, bytes });
    }
    const last = rows.at(-1);
    if (!last || rows.length < opened_heads_at_once) return opened;
    after = last.name_digest;
    await letOthers();
  }
}

/** The notes of some heads as they are now, in the order of the heads; one that was deleted meanwhile is left out. */
export async function* readWholeNotes(
  { read }: Pick<Forum, 'read'>,
  account_id: number,
  heads: readonly Pick<OpenedHead, 'name_digest'>[],
): AsyncIterable<NoteRow> {
  for (let from = 0; from < heads.length; from += opened_texts_at_once) {
    if (from > 0) await letOthers();
    const digests = heads.slice(from, from + opened_texts_at_once).map((head) => head.name_digest);
    const rows = await listNotes(read, account_id, digests);
    const found = new Map(rows.map((row) => [row.name_digest.toString('hex'), row]));
    for (const digest of digests) {
      const row = found.get(digest.toString('hex'));
      if (row) yield row;
    }
  }
}
