import type { Unchecked } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import { digestSecret } from '../../secrets.ts';
import { countAttempt } from '../attempts/count-attempt.ts';
import type { Forum } from '../forum.ts';
import { completions_of_address } from '../limits.ts';
import { type ChallengeRow, takeChallenge } from './challenge-store.ts';
import { isUsable } from './challenges.ts';

/** A challenge that was spent by the request which names it. */
export type Spent = ChallengeRow & { readonly id: string };

/**
 * Counts an attempt to complete a challenge and spends the challenge, before anything else of the request is looked
 * at (D-FORUM-18). Refuses one that cannot be used; undefined if the body names none.
 */
export async function spendChallenge(
  forum: Forum,
  { body, client }: Pick<Unchecked, 'body' | 'client'>,
  account_id: number | null,
): Promise<Spent | undefined> {
  // @NOTE The body was found to be an object, or to be absent.
  const id = (body as { challenge_id?: unknown } | undefined)?.challenge_id;
  const challenge = await forum.transact(async (tx) => {
    await countAttempt(forum, tx, [{ limit: completions_of_address, key: client }]);
    const taken = typeof id === 'string' ? await takeChallenge(tx.db, digestSecret(id)) : undefined;
    return taken && (await isUsable(forum, tx, taken, { account_id, client })) ? taken : undefined;
  });
  if (typeof id !== 'string') return undefined;
  if (!challenge) throw new RefusalError('challenge_unusable');
  return { ...challenge, id };
}
