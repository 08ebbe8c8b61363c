import type { Deps } from '../../deps.ts';
import type { Tx } from '../../storage/storage.ts';
import { pairOf } from '../accounts/account-id.ts';
import { relations_kept_max } from '../limits.ts';
import { findRelation, type Relation } from './relation-store.ts';

/** What accounts are to each other, from memory where it is known. */
export type Relations = {
  /** As it is committed. */
  get(from: string, to: string): Promise<Relation>;
  /** As a unit of work sees it. */
  within(tx: Tx, from: string, to: string): Promise<Relation>;
  /** To be called in every unit of work that changes anything between two accounts: a row of theirs, or their thread. */
  changed(tx: Tx, one: string, other: string): void;
};

const keyOf = (from: string, to: string) => `${from} ${to}`;

/** Opens what the network keeps of relations in memory. */
export function openRelations({ caches }: Pick<Deps, 'caches'>): Relations {
  const cache = caches.open<Relation>({
    name: 'net-relation',
    entries_max: relations_kept_max,
    load(key, db) {
      const [from = '', to = ''] = key.split(' ');
      return findRelation(db, { from, to, ...pairOf(from, to) });
    },
  });
  // @NOTE Also strangers have a relation, so there always is one.
  return {
    get: (from, to) => cache.get(keyOf(from, to)) as Promise<Relation>,
    within: (tx, from, to) => cache.within(tx, keyOf(from, to)) as Promise<Relation>,
    changed(tx, one, other) {
      cache.forget(tx, keyOf(one, other));
      cache.forget(tx, keyOf(other, one));
    },
  };
}
