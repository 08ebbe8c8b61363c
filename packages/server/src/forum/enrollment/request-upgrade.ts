import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import { handleOf } from '../accounts/handle.ts';
import { identify } from '../accounts/identify.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { issueChallenge } from './challenges.ts';

type Route = typeof forum_routes.requestUpgrade;

/** Refuses who has nothing to upgrade. */
export function refuseFull({ account }: Pick<Caller, 'account'>): void {
  if (account.tier === 'full') throw new RefusalError('already_full');
}

/** Gives a guest the challenge of a full account, for its own handle and for nobody else. */
export async function requestUpgrade(
  forum: Forum,
  _call: Call<Route>,
  { token, client, keyed }: Caller,
): Promise<Answer<Route>> {
  const policy = await currentPolicy(forum);
  const challenge = await forum.transact(async (tx) => {
    const account = await identify(forum, tx.db, token);
    refuseFull({ account });
    const purpose = {
      account_id: account.id,
      handle: handleOf(account),
      tier: 'full',
      client,
    } as const;
    return issueChallenge(forum, tx, purpose, policy);
  });
  const answer = { status: 201, body: challenge } as const;
  if (keyed) forum.kept_challenges.keep(keyed, answer);
  return answer;
}
