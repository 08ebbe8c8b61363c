import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { updateAccount } from '../accounts/account-store.ts';
import { meView } from '../accounts/account-view.ts';
import { identify } from '../accounts/identify.ts';
import { forgetMember } from '../accounts/members.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { quota_bytes } from '../limits.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { checkProof } from './check-proof.ts';
import { refuseFull } from './request-upgrade.ts';
import type { Spent } from './spend-challenge.ts';

type Route = typeof forum_routes.upgradeAccount;

/** Makes a guest who has solved its challenge a full account; all that it has stays. */
export async function upgradeAccount(
  forum: Forum,
  { body, refuse }: Call<Route>,
  { caller, challenge }: { caller: Caller; challenge: Spent | undefined },
): Promise<Answer<Route>> {
  if (!challenge) throw refuse('challenge_unusable');
  checkProof(challenge, body.nonce);
  const policy = await currentPolicy(forum);
  return caller.act(async (tx) => {
    const guest = await identify(forum, tx.db, caller.token);
    refuseFull({ account: guest });
    const change = {
      tier: 'full',
      expires_at: null,
      quota_bytes: Math.max(guest.quota_bytes, quota_bytes.full),
    } as const;
    await updateAccount(tx.db, guest.id, change);
    forgetMember(forum, tx, guest);
    forum.tallies.forget(tx, String(guest.id));
    return { status: 200, body: meView({ ...guest, ...change }, policy) } as const;
  });
}
