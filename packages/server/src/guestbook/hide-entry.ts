import type { Arguments, CommandAnswer, guestbook_commands } from '@stoa/wire';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import * as store from './guestbook-store.ts';

type Given = Arguments<typeof guestbook_commands.hide>;
type Said = CommandAnswer<typeof guestbook_commands.hide>;

async function setHidden(deps: Deps, seq: number, is_hidden: 0 | 1): Promise<void> {
  const is_known = await deps.transact((tx) => store.setHidden(tx.db, seq, is_hidden));
  if (!is_known) throw new RefusalError('not-found', { detail: `There is no entry ${seq}.` });
}

/** Withholds everything of an entry but its place in the chain (D-BOOK-21). */
export async function hideEntry(deps: Deps, { seq }: Given): Promise<Said> {
  await setHidden(deps, seq, 1);
  return { said: `Entry ${seq} is hidden; its place in the chain stays.` };
}

export async function unhideEntry(deps: Deps, { seq }: Given): Promise<Said> {
  await setHidden(deps, seq, 0);
  return { said: `Entry ${seq} is shown.` };
}
