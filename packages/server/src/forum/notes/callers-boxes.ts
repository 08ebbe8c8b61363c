import { identify } from '../accounts/identify.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { openWithToken } from './data-key.ts';
import { type NoteBoxes, noteBoxes } from './note-box.ts';

/** The boxes of who calls, opened with the token of the request and for its time. */
export async function callersBoxes(
  forum: Pick<Forum, 'random' | 'read' | 'nowSeconds'>,
  { token }: Pick<Caller, 'token'>,
): Promise<NoteBoxes> {
  const account = await identify(forum, forum.read, token);
  return noteBoxes(forum.random, account.id, openWithToken(account, token));
}
