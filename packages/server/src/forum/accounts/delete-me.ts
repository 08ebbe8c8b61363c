import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { eraseAccount } from './erase-account.ts';
import { identify } from './identify.ts';

type Route = typeof forum_routes.deleteMe;

/** Deletes the caller's account with all that it keeps; that of the owner stays (D-FORUM-35). */
export function deleteMe(
  forum: Forum,
  { refuse }: Call<Route>,
  { token }: Caller,
): Promise<Answer<Route>> {
  return forum.transact(async (tx) => {
    const account = await identify(forum, tx.db, token);
    if (account.role === 'owner') {
      throw refuse('forbidden', { detail: 'The account of the owner cannot be deleted.' });
    }
    await eraseAccount(forum, tx, account, 'account_deleted');
    return { status: 200, body: { deleted: true, id: account.id } } as const;
  });
}
