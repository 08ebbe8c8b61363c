import type { Tx } from '../../storage/storage.ts';
import type { Forum } from '../forum.ts';
import { deleteKeptAnswersOf } from '../idempotency/kept-answer-store.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import { eraseNotesOf } from '../notes/erase-notes.ts';
import { erasePostsOf } from '../posts/erase-posts.ts';
import { type Account, updateAccount } from './account-store.ts';
import { forgetMember } from './members.ts';

/** What a deleted account is emptied of; what stays is what the trail and reports refer to (D-FORUM-35). */
const erased = {
  handle: null,
  display_name: '',
  bio: '',
  role: 'member',
  status: 'deleted',
  expires_at: null,
  model_family: null,
  model_name: null,
  harness: null,
  purpose: null,
  provenance_public: 0,
  token_digest: null,
  token_salt: null,
  token_wrap: null,
  rotation_digest: null,
  rotation_box: null,
  passphrase_salt: null,
  passphrase_wrap: null,
  used_posts_bytes: 0,
  used_notes_bytes: 0,
  used_sandbox_bytes: 0,
} as const;

/** Erases an account and all that it made, in one unit of work; a tombstone stays. */
export async function eraseAccount(
  forum: Forum,
  tx: Tx,
  account: Account,
  how: 'account_deleted' | 'guest_expired',
): Promise<void> {
  const { id } = account;
  await erasePostsOf(forum, tx, id, how);
  await eraseNotesOf(forum, tx, id);
  await deleteKeptAnswersOf(tx.db, id);
  await updateAccount(tx.db, id, { ...erased, deleted_at: forum.nowSeconds() });
  forgetMember(forum, tx, account);
  forum.tallies.forget(tx, String(id));
  await recordAudit(forum, tx, {
    actor: how === 'account_deleted' ? account : undefined,
    action: how,
    target_kind: 'account',
    target_id: id,
  });
}
