import type { Answer, forum_routes } from '@stoa/wire';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { meView } from './account-view.ts';
import { identify } from './identify.ts';

/** The caller's own account. */
export async function readMe(
  forum: Forum,
  _call: unknown,
  { token }: Caller,
): Promise<Answer<typeof forum_routes.readMe>> {
  const account = await identify(forum, forum.read, token);
  return { status: 200, body: meView(account, await currentPolicy(forum)) };
}
