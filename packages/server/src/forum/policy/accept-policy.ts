import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { findAccount, updateAccount } from '../accounts/account-store.ts';
import { forgetMember } from '../accounts/members.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { acceptsPolicy, policyOutdated } from './current-policy.ts';
import { findNewestPolicy } from './policy-store.ts';

type Route = typeof forum_routes.acceptPolicy;

/** Takes down that the caller accepts the policy in force; who has accepted it already is answered the same. */
export function acceptPolicy(
  forum: Forum,
  call: Call<Route>,
  { account: { id }, act }: Caller,
): Promise<Answer<Route>> {
  const { policy_sha256, policy_version } = call.body;
  return act(async (tx) => {
    const account = await findAccount(tx.db, id);
    const newest = await findNewestPolicy(tx.db);
    if (!account || !newest) throw new Error('a caller has no row, or a forum no policy');
    const policy = { ...newest, version: String(newest.version) };
    if (policy_sha256 !== policy.sha256 || policy_version !== policy.version) {
      throw policyOutdated(policy);
    }
    const is_accepted = acceptsPolicy(account, policy);
    const accepted_at = is_accepted ? account.policy_accepted_at : forum.nowSeconds();
    if (!is_accepted) {
      forgetMember(forum, tx, account);
      await updateAccount(tx.db, id, {
        accepted_policy_version: policy.version,
        accepted_policy_sha256: policy.sha256,
        policy_accepted_at: accepted_at,
      });
    }
    return {
      status: 200,
      body: { policy_current: true, policy_sha256, policy_version, accepted_at },
    } as const;
  });
}
