import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { compareNames } from './compare-names.ts';
import { openWithToken } from './data-key.ts';
import { noteBoxes } from './note-box.ts';
import { wholeNoteView } from './note-view.ts';
import { openHeads, readWholeNotes } from './open-heads.ts';

/** All notes of an account by name, opened with its live token, for its export (D-FORUM-55). */
export async function* exportNotes(forum: Forum, account: Account, token: string) {
  const boxes = noteBoxes(forum.random, account.id, openWithToken(account, token));
  const heads = await openHeads(forum, account.id, boxes);
  heads.sort((a, b) => compareNames(a.head, b.head));
  for await (const row of readWholeNotes(forum, account.id, heads)) {
    yield wholeNoteView(boxes, row);
  }
}
