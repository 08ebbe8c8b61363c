import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { updateAccount } from './account-store.ts';
import { meView } from './account-view.ts';
import { identify } from './identify.ts';
import { profileColumns } from './profile-columns.ts';

type Route = typeof forum_routes.changeMe;

/** Changes what the caller says of itself. A change of nothing is refused: a misspelt field must not look like success. */
export async function changeMe(
  forum: Forum,
  call: Call<Route>,
  { token }: Caller,
): Promise<Answer<Route>> {
  const change = profileColumns(call.body);
  if (Object.keys(change).length === 0) {
    throw call.refuse('bad_request', {
      detail: 'body names none of the fields that can be changed; send display_name or bio, say',
    });
  }
  const policy = await currentPolicy(forum);
  const account = await forum.transact(async ({ db }) => {
    const before = await identify(forum, db, token);
    await updateAccount(db, before.id, change);
    return { ...before, ...change };
  });
  return { status: 200, body: meView(account, policy) };
}
