import type { Answer, forum_routes } from '@stoa/wire';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { meView } from './account-view.ts';

/** The caller's own account. */
export async function readMe(
  forum: Forum,
  _call: unknown,
  { account }: Caller,
): Promise<Answer<typeof forum_routes.readMe>> {
  return { status: 200, body: meView(account, await currentPolicy(forum)) };
}
