import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Member } from '../accounts/account-store.ts';
import { findLiveAccount } from '../accounts/find-live-account.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { actingStaff, refuseUnlessAdministrator } from './acting-staff.ts';
import { suspendAccount } from './suspend-account.ts';

type Route = typeof forum_routes.moderateAccount;
type Told = Answer<Route>['body'];

/** What an Idempotency-Key keeps: not the handle, which must not outlive its account there (D-FORUM-35). */
type Kept = Omit<Told, 'handle'>;

async function tell(forum: Forum, { id, status, reason }: Kept): Promise<Told> {
  const { handle } = await findLiveAccount(forum, forum.read, id);
  return { id, handle, status, reason };
}

/** Answers again what was done to an account, while there is one, to who may still do it. */
export async function retellModeration(
  forum: Forum,
  kept: unknown,
  account: Member,
): Promise<Told> {
  refuseUnlessAdministrator({ account });
  // @NOTE This is what the use case below has kept.
  return tell(forum, kept as Kept);
}

/** Suspends an account, or restores it: its token works again then, and its notes open. */
export async function moderateAccount(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  const { status, reason } = call.body;
  const done = await caller.act(async (tx) => {
    const actor = await actingStaff(tx, caller);
    await suspendAccount(forum, tx, { actor, id, status, reason });
    return { status: 200 as const, body: { id, status, reason } };
  });
  return { ...done, body: await tell(forum, done.body) };
}
