import {
  findAccount,
  updateAccount,
} from '../../packages/server/src/forum/accounts/account-store.ts';
import { openWithToken } from '../../packages/server/src/forum/notes/data-key.ts';
import { noteBoxes } from '../../packages/server/src/forum/notes/note-box.ts';
import { putNote } from '../../packages/server/src/forum/notes/note-store.ts';
import { noteBytes } from '../../packages/server/src/forum/notes/note-view.ts';
import { system_random } from '../../packages/server/src/random.ts';
import type { Transact } from '../../packages/server/src/storage/storage.ts';
import type { Member } from './forum-accounts.ts';

export type NewNote = { name: string; text: string; tags: string[] };

/** Puts many notes into an account that has none, by its database: writes over HTTP are limited. */
export async function addNotes(
  { transact }: { transact: Transact },
  { id, token }: Pick<Member, 'id' | 'token'>,
  notes: Iterable<NewNote>,
): Promise<void> {
  await transact(async ({ db }) => {
    const account = await findAccount(db, id);
    if (!account) throw new Error(`there is no account ${id}`);
    const { created_at } = account;
    const boxes = noteBoxes(system_random, id, openWithToken(account, token));
    let used_notes_bytes = 0;
    let note_count = 0;
    for (const { name, text, tags } of notes) {
      const name_digest = boxes.nameDigest(name);
      const bytes = noteBytes(name, text, tags);
      used_notes_bytes += bytes;
      note_count += 1;
      const head = { name, tags, created_at, updated_at: created_at };
      await putNote(db, {
        account_id: id,
        name_digest,
        bytes,
        head_box: boxes.sealHead(name_digest, head),
        text_box: boxes.sealText(name_digest, text),
      });
    }
    await updateAccount(db, id, { used_notes_bytes, note_count });
  });
}
