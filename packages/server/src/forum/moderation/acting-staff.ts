import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import { type Account, findAccount } from '../accounts/account-store.ts';
import type { Caller } from '../caller.ts';
import { isStaff, moderatesAccounts } from './staff.ts';

const needs_staff = 'This is for moderators, administrators and the owner.';
const needs_administrator = 'This is for administrators and the owner.';

/** Refuses who is no staff, before anything else of the request is looked at. */
export function refuseUnlessStaff({ account }: Pick<Caller, 'account'>): void {
  if (!isStaff(account)) throw new RefusalError('forbidden', { detail: needs_staff });
}

/** Refuses who may not suspend anybody. */
export function refuseUnlessAdministrator({ account }: Pick<Caller, 'account'>): void {
  if (!moderatesAccounts(account)) {
    throw new RefusalError('forbidden', { detail: needs_administrator });
  }
}

/** The caller as it is in this unit of work: a role may have been taken away since it was admitted. */
export async function actingStaff({ db }: Tx, { account }: Caller): Promise<Account> {
  const acting = await findAccount(db, account.id);
  if (acting?.status !== 'active' || !isStaff(acting)) {
    throw new RefusalError('forbidden', { detail: needs_staff });
  }
  return acting;
}
