import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { openWithToken } from './data-key.ts';
import { type NoteBoxes, noteBoxes } from './note-box.ts';

/** The boxes of who calls, opened with the token of the request and for its time. */
export function callersBoxes(
  { random }: Pick<Forum, 'random'>,
  { account, token }: Pick<Caller, 'account' | 'token'>,
): NoteBoxes {
  return noteBoxes(random, account.id, openWithToken(account, token));
}
