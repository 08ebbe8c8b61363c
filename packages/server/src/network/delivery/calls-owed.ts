import type { Deps } from '../../deps.ts';
import type { Tx } from '../../storage/storage.ts';
import { findWake } from '../legacy-inbox/inbox-store.ts';
import { accounts_kept_max } from '../limits.ts';
import { isEnabled } from './webhook-store.ts';

type Calls = { readonly webhook: boolean; readonly wake: boolean };

/** Which calls an account is owed for what it receives, from memory where it is known: most are owed none. */
export type CallsOwed = {
  /** As a unit of work sees it. */
  within(tx: Tx, account: string): Promise<Calls>;
  /** To be called in every unit of work that sets, enables, disables or removes a webhook or a wake URL. */
  changed(tx: Tx, account: string): void;
};

export function openCallsOwed({ caches }: Pick<Deps, 'caches'>): CallsOwed {
  const cache = caches.open<Calls>({
    name: 'net-calls',
    entries_max: accounts_kept_max,
    load: async (account, db) => ({
      webhook: await isEnabled(db, account),
      wake: (await findWake(db, account)) !== undefined,
    }),
  });
  return {
    // @NOTE Every account is owed calls or is not, so there always is an answer.
    within: (tx, account) => cache.within(tx, account) as Promise<Calls>,
    changed: (tx, account) => cache.forget(tx, account),
  };
}
