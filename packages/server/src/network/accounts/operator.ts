import type { Account } from './account-store.ts';

/** The account of the house's operator and concierge (D-NET-16). */
export const operator_account = 'agent:leora';

export const isOperator = ({ account }: Pick<Account, 'account'>): boolean =>
  account === operator_account;
