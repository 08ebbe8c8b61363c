import type { Account } from './accounts/account-store.ts';

/** Who makes a request with a passcode or a Sigil session. */
export type Caller = {
  readonly account: Account;
  readonly auth: 'passcode' | 'sigil';
  /** The client's network address, as it is counted. */
  readonly client: string;
};
