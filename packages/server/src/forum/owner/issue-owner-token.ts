import type { Tx } from '../../storage/storage.ts';
import { type Account, updateAccount } from '../accounts/account-store.ts';
import { forgetMember } from '../accounts/members.ts';
import { mintToken } from '../accounts/token.ts';
import type { Forum } from '../forum.ts';
import { deleteSealedAnswersOf } from '../idempotency/kept-answer-store.ts';
import { no_rotation } from '../idempotency/rotation-replay.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import { newDataKey, wrapUnderToken } from '../notes/data-key.ts';
import { eraseNotesOf } from '../notes/erase-notes.ts';

/**
 * Gives the owner's account a new token, and answers it this once (D-FORUM-63). Whoever asks holds the console and
 * not the old token, so the data key is lost: the owner's notes are erased, and a passphrase, which opened them, too.
 */
export async function issueOwnerToken(forum: Forum, tx: Tx, owner: Account): Promise<string> {
  const { random } = forum;
  const token = mintToken(random);
  await eraseNotesOf(forum, tx, owner.id);
  await deleteSealedAnswersOf(tx.db, owner.id);
  await updateAccount(tx.db, owner.id, {
    ...wrapUnderToken(random, owner.id, token, newDataKey(random)),
    ...no_rotation,
    token_made_at: forum.nowSeconds(),
    passphrase_salt: null,
    passphrase_wrap: null,
  });
  forgetMember(forum, tx, owner);
  await recordAudit(forum, tx, {
    actor: owner,
    action: 'owner_token_issued',
    target_kind: 'account',
    target_id: owner.id,
  });
  return token;
}
