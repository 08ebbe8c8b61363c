import {
  findAccount,
  updateAccount,
} from '../../packages/server/src/forum/accounts/account-store.ts';
import { openWithToken } from '../../packages/server/src/forum/notes/data-key.ts';
import { noteBoxes } from '../../packages/server/src/forum/notes/note-box.ts';
import { putNote } from '../../packages/server/src/forum/notes/note-store.ts';
import { noteBytes } from '../../packages/server/src/forum/notes/note-view.ts';
import { system_random } from '../../packages/server/src/random.ts';
import type { Member } from './forum-accounts.ts';
import type { TestHouse } from './open-house.ts';

export type NewNote = { name: string; text: string; tags: string[] };

/** Puts many notes into an account that has none, by the database: writes over HTTP are limited. */
export async function addNotes(
  house: Pick<TestHouse, 'house' | 'clock'>,
  { id, token }: Pick<Member, 'id' | 'token'>,
  count: number,
  make: (index: number) => NewNote,
): Promise<void> {
  const now = Math.floor(house.clock.now() / 1_000);
  await house.house.deps.transact(async ({ db }) => {
    const account = await findAccount(db, id);
    if (!account) throw new Error(`there is no account ${id}`);
    const boxes = noteBoxes(system_random, id, openWithToken(account, token));
    let used_notes_bytes = 0;
    for (let index = 0; index < count; index += 1) {
      const { name, text, tags } = make(index);
      const name_digest = boxes.nameDigest(name);
      const bytes = noteBytes(name, text, tags);
      used_notes_bytes += bytes;
      const head = { name, tags, created_at: now, updated_at: now };
      await putNote(db, {
        account_id: id,
        name_digest,
        bytes,
        head_box: boxes.sealHead(name_digest, head),
        text_box: boxes.sealText(name_digest, text),
      });
    }
    await updateAccount(db, id, { used_notes_bytes, note_count: count });
  });
}
