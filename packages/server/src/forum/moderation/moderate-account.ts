import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { actingStaff } from './acting-staff.ts';
import { suspendAccount } from './suspend-account.ts';

type Route = typeof forum_routes.moderateAccount;

/** Suspends an account, or restores it: its token works again then, and its notes open. */
export async function moderateAccount(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  const { status, reason } = call.body;
  return caller.act(async (tx) => {
    const actor = await actingStaff(tx, caller);
    const { handle } = await suspendAccount(forum, tx, { actor, id, status, reason });
    return { status: 200, body: { id, handle, status, reason } };
  });
}
