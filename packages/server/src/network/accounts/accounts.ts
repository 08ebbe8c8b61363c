import type { Deps } from '../../deps.ts';
import { digestSecret } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import { accounts_kept_max } from '../limits.ts';
import * as store from './account-store.ts';

type Account = store.Account;

/** The accounts as they are committed, from memory where they are known. */
export type Accounts = {
  byId(account: string): Promise<Account | undefined>;
  /** The account of this id as a unit of work sees it. */
  byIdWithin(tx: Tx, account: string): Promise<Account | undefined>;
  /** All that claim a handle; more than one are refused (NET-045). */
  byHandle(handle: string): Promise<readonly Account[]>;
  /** The account that a passcode names (D-NET-13). */
  byPasscode(passcode: string): Promise<Account | undefined>;
  /** To be called in every unit of work that makes or changes an account. */
  changed(tx: Tx, account: Pick<Account, 'account' | 'handle' | 'passcode_digest'>): void;
};

/** Opens what the network keeps of its accounts in memory. */
export function openAccounts({ caches }: Pick<Deps, 'caches'>): Accounts {
  const entries_max = accounts_kept_max;
  const by_id = caches.open<Account>({
    name: 'net-account',
    entries_max,
    load: (account, db) => store.findAccount(db, account),
  });
  const by_handle = caches.open<Account[]>({
    name: 'net-handle',
    entries_max,
    load: async (handle, db) => {
      const found = await store.listByHandle(db, handle);
      return found.length > 0 ? found : undefined;
    },
  });
  const by_passcode = caches.open<string>({
    name: 'net-passcode',
    entries_max,
    load: async (digest, db) =>
      (await store.findByPasscode(db, Buffer.from(digest, 'hex')))?.account,
  });
  return {
    byId: (account) => by_id.get(account),
    byIdWithin: (tx, account) => by_id.within(tx, account),
    byHandle: async (handle) => (await by_handle.get(handle)) ?? [],
    async byPasscode(passcode) {
      const account = await by_passcode.get(digestSecret(passcode).toString('hex'));
      return account === undefined ? undefined : by_id.get(account);
    },
    changed(tx, { account, handle, passcode_digest }) {
      by_id.forget(tx, account);
      by_handle.forget(tx, handle);
      if (passcode_digest) by_passcode.forget(tx, passcode_digest.toString('hex'));
    },
  };
}
