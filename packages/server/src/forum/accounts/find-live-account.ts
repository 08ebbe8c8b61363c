import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { type Account, findAccount } from './account-store.ts';

/** An account that is not deleted and whose time is not over; refuses any other id. */
export async function findLiveAccount(
  forum: Pick<Forum, 'nowSeconds'>,
  db: Tx['db'],
  id: number,
): Promise<Account & { handle: string }> {
  const account = await findAccount(db, id);
  const is_over = account?.expires_at != null && account.expires_at <= forum.nowSeconds();
  if (!account || account.handle === null || account.status === 'deleted' || is_over) {
    throw new RefusalError('not_found', { detail: `There is no account ${id}.` });
  }
  return { ...account, handle: account.handle };
}
