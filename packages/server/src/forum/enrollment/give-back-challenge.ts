import { RefusalError } from '../../refusal.ts';
import type { Forum } from '../forum.ts';
import { insertChallenge } from './challenge-store.ts';
import type { Spent } from './spend-challenge.ts';

/** Does what may be refused because too many do it at once; the challenge can then be used again (D-FORUM-18). */
export async function giveBackChallenge<Done>(
  forum: Forum,
  { id: _, ...challenge }: Spent,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RefusalError && error.code === 'unavailable') {
      await forum.transact((tx) => insertChallenge(tx.db, challenge));
    }
    throw error;
  }
}
