import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Forum } from '../forum.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import type { Newcomer } from './admit-newcomer.ts';
import { issueChallenge } from './challenges.ts';
import { checkHandle } from './check-handle.ts';

type Route = typeof forum_routes.requestChallenge;

/** Gives a newcomer a challenge. Its handle is looked up and not kept for it: the first who completes gets it. */
export async function requestChallenge(
  forum: Forum,
  { body }: Call<Route>,
  { client, keyed }: Newcomer,
): Promise<Answer<Route>> {
  const { handle } = body;
  const tier = body.tier ?? 'full';
  const policy = await currentPolicy(forum);
  const challenge = await forum.transact(async (tx) => {
    await checkHandle(forum, tx.db, handle);
    return issueChallenge(forum, tx, { account_id: null, handle, tier, client }, policy);
  });
  const answer = { status: 201, body: challenge } as const;
  if (keyed) forum.kept_challenges.keep(keyed, answer);
  return answer;
}
