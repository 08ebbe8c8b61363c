import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { quota_bytes } from '../limits.ts';
import { nextNumber } from '../number-store.ts';
import type { PublishedPolicy } from '../policy/policy-store.ts';
import { hasOwner, insertAccount } from './account-store.ts';
import { handleDigest } from './handle.ts';
import { newAccount } from './new-account.ts';

/** Makes the account of the owner, the first of all, if there is none: without a token until one is asked for (D-FORUM-63). */
export async function makeOwner(forum: Forum, tx: Tx, policy: PublishedPolicy): Promise<void> {
  if (await hasOwner(tx.db)) return;
  const handle = forum.settings.owner_handle;
  await insertAccount(tx.db, {
    ...newAccount(forum, policy),
    id: await nextNumber(tx.db, 'account'),
    handle,
    handle_digest: handleDigest(forum, handle),
    display_name: 'The owner of this house',
    role: 'owner',
    tier: 'full',
    quota_bytes: quota_bytes.full,
  });
}
