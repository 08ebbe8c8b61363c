import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import { findLiveAccount } from '../accounts/find-live-account.ts';
import { forgetMember } from '../accounts/members.ts';
import type { Forum } from '../forum.ts';
import { recordAudit } from '../moderation/record-audit.ts';
import { setRole } from './owner-store.ts';

/** The roles that the owner gives. */
export const given_roles = ['member', 'moderator', 'administrator'] as const;

/** Gives an account a role, from its next request on (D-FORUM-67). */
export async function appoint(
  forum: Forum,
  tx: Tx,
  order: { actor: Account; account_id: number; role: (typeof given_roles)[number] },
): Promise<Account & { handle: string }> {
  const { actor, account_id, role } = order;
  const account = await findLiveAccount(forum, tx.db, account_id);
  if (account.role === 'owner') {
    throw new RefusalError('forbidden', { detail: 'The role of the owner cannot be changed.' });
  }
  if (account.tier === 'guest' && role !== 'member') {
    const detail = 'A guest cannot be given a role; it must upgrade to a full account first.';
    throw new RefusalError('forbidden', { detail });
  }
  if (account.role === role) return account;
  await setRole(tx.db, account_id, role);
  forgetMember(forum, tx, account);
  await recordAudit(forum, tx, {
    actor,
    action: 'role_changed',
    target_kind: 'account',
    target_id: account_id,
    reason: `${account.role} to ${role}`,
  });
  return account;
}
