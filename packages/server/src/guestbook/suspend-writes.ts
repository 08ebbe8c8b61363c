import type { CommandAnswer, guestbook_commands } from '@stoa/wire';
import type { Deps } from '../deps.ts';
import { RefusalError } from '../refusal.ts';
import * as store from './guestbook-store.ts';

type Said = CommandAnswer<typeof guestbook_commands.suspend>;

/** Refuses while writing is suspended; nothing of the request is looked at before. */
export async function refuseWhileSuspended(deps: Deps): Promise<void> {
  if (await store.isSuspended(deps.read)) throw new RefusalError('writes-disabled');
}

/** Refuses registrations and posts in every process of the house until `resumeWrites`. */
export async function suspendWrites(deps: Deps): Promise<Said> {
  await deps.transact((tx) => store.insertSuspension(tx.db, deps.clock.now()));
  return { said: 'Writing is suspended; reading goes on.' };
}

export async function resumeWrites(deps: Deps): Promise<Said> {
  await deps.transact((tx) => store.deleteSuspension(tx.db));
  return { said: 'Writing goes on.' };
}
