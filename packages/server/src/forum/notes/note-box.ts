import type { Random } from '../../random.ts';
import { deriveKey, seal, unseal } from '../../sealed-box.ts';
import { keyedDigest } from '../../secrets.ts';
import type { NoteRow } from './note-store.ts';

const name_label = 'stoa-forum-note-name-v1';
const seal_label = 'stoa-forum-note-seal-v1';

/** What of a note is not its text. Times are Unix seconds. */
export type NoteHead = {
  name: string;
  tags: string[];
  created_at: number;
  updated_at: number;
};

/** The boxes of one account's notes: made with its data key, and kept for no longer than a request. */
export type NoteBoxes = {
  /** Under what a note of this name lies. */
  nameDigest(name: string): Buffer;
  sealHead(name_digest: Buffer, head: NoteHead): Buffer;
  sealText(name_digest: Buffer, text: string): Buffer;
  /** Throws if the box is not of this account and row. */
  openHead(row: Pick<NoteRow, 'name_digest' | 'head_box'>): NoteHead;
  openText(row: Pick<NoteRow, 'name_digest' | 'text_box'>): string;
};

export function noteBoxes(random: Random, account_id: number, data_key: Buffer): NoteBoxes {
  const name_key = deriveKey(data_key, name_label);
  const seal_key = deriveKey(data_key, seal_label);
  const place = (name_digest: Buffer, part: 'head' | 'text') =>
    `${account_id} ${name_digest.toString('hex')} ${part}`;

  function open(name_digest: Buffer, part: 'head' | 'text', box: Buffer): string {
    const opened = unseal(seal_key, place(name_digest, part), box);
    if (!opened) throw new Error(`the ${part} of a note does not open where it lies`);
    return opened.toString('utf8');
  }

  return {
    nameDigest: (name) => keyedDigest(name_key, name),
    sealHead: (name_digest, head) =>
      seal(random, seal_key, place(name_digest, 'head'), Buffer.from(JSON.stringify(head))),
    sealText: (name_digest, text) =>
      seal(random, seal_key, place(name_digest, 'text'), Buffer.from(text)),
    openHead: ({ name_digest, head_box }) => JSON.parse(open(name_digest, 'head', head_box)),
    openText: ({ name_digest, text_box }) => open(name_digest, 'text', text_box),
  };
}
