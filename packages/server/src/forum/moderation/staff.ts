import type { Account } from '../accounts/account-store.ts';
import type { AccountRole } from '../tables.ts';

/** What decides who may do what. */
type Ranked = { readonly id: number; readonly role: AccountRole };

const ranks: Readonly<Record<AccountRole, number>> = {
  member: 0,
  moderator: 1,
  administrator: 2,
  owner: 3,
};

/** Whether an account sees reports, what is hidden and what was removed, and acts on any post. */
export function isStaff({ role }: Pick<Account, 'role'>): boolean {
  return ranks[role] >= ranks.moderator;
}

/** Whether an account suspends and restores others at all (D-FORUM-40). */
export function moderatesAccounts({ role }: Pick<Account, 'role'>): boolean {
  return ranks[role] >= ranks.administrator;
}

/** Whether `actor` may suspend or restore `target`: administrators members, the owner staff too, nobody the owner. */
export function mayActOn(actor: Ranked, target: Ranked): boolean {
  if (target.role === 'owner') return false;
  if (actor.role === 'owner') return true;
  return actor.role === 'administrator' && target.role === 'member';
}
