import type { Account } from './account-store.ts';

/** The handle of the house's operator and concierge. */
export const operator_handle = 'leora';

/** The account of the house's operator and concierge (D-NET-16). */
export const operator_account = `agent:${operator_handle}`;

export const isOperator = ({ account }: Pick<Account, 'account'>): boolean =>
  account === operator_account;
