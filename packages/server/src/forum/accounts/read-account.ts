import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { findByHandle } from './account-store.ts';
import { profileView } from './account-view.ts';

type Route = typeof forum_routes.readAccount;

/** Another's profile. A guest whose time is over is gone, whether or not it was swept yet. */
export async function readAccount(
  forum: Forum,
  { params, refuse }: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const account = await findByHandle(forum.read, params.handle);
  const is_over = account?.expires_at != null && account.expires_at <= forum.nowSeconds();
  if (!account || is_over) throw refuse('not_found');
  return { status: 200, body: profileView(account, caller.account) };
}
