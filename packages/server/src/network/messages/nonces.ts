import { hash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { engineOf } from '../../storage/engine-of.ts';
import type { Tx } from '../../storage/storage.ts';
import * as store from './nonce-store.ts';

/** The nonces that senders have spent, for ever (D-NET-26). */
export type Nonces = {
  /** Whether a sender has spent a nonce, as a unit of work sees it. */
  isSpent(tx: Tx, account: string, nonce: string): Promise<boolean>;
  /** Spends a nonce of a sender; false if it was spent before. */
  spend(tx: Tx, account: string, nonce: string): Promise<boolean>;
};

/** Of SHA-256; who finds two nonces with one digest has spoilt nothing but one of their own. */
const digest_octets = 16;

const digestOf = (nonce: string) => hash('sha256', nonce, 'buffer').subarray(0, digest_octets);

/** Nonces that are not in their order yet: after so many they are put there. */
const new_nonces_max = 8_192;

type Opened = Pick<Deps, 'read' | 'rowBuffer' | 'transact'>;

export function openNonces(deps: Opened): Nonces {
  const { isSpent, spend } = engineOf(deps.read) === 'sqlite' ? openLone(deps) : shared;
  let is_sorted = false;

  /** Puts in their order what an earlier process has left, which is on neither of the ways below. */
  async function sortLeft(tx: Tx): Promise<void> {
    if (is_sorted) return;
    await store.sortNewNonces(tx.db);
    tx.afterCommit(() => {
      is_sorted = true;
    });
  }

  return {
    async isSpent(tx, account, nonce) {
      await sortLeft(tx);
      return isSpent(tx, { account, digest: digestOf(nonce) });
    },
    async spend(tx, account, nonce) {
      await sortLeft(tx);
      return spend(tx, { account, digest: digestOf(nonce) });
    },
  };
}

type Spending = {
  isSpent(tx: Tx, nonce: store.Nonce): Promise<boolean>;
  spend(tx: Tx, nonce: store.Nonce): Promise<boolean>;
};

/** Where other processes may spend them too, the database alone tells. */
const shared: Spending = {
  isSpent: (tx, nonce) => store.hasNonce(tx.db, nonce),
  spend: (tx, nonce) => store.addNonce(tx.db, nonce),
};

/**
 * Where one process alone writes: a nonce is written at the end of those that came before it and kept in memory, until
 * so many have come that it is worth to put them in their order. Each by itself would be a page to write.
 */
function openLone({ rowBuffer, transact }: Opened): Spending {
  const of_batch = rowBuffer(store.insertNewNonces);
  const kept = new Set<string>();

  const nameOf = ({ account, digest }: store.Nonce) => `${account} ${digest.toString('latin1')}`;

  async function isSpent(tx: Tx, nonce: store.Nonce): Promise<boolean> {
    const { account, digest } = nonce;
    return (
      kept.has(nameOf(nonce)) ||
      of_batch.some((other) => other.account === account && other.digest.equals(digest)) ||
      store.hasNonce(tx.db, nonce)
    );
  }

  async function sortKept(tx: Tx): Promise<void> {
    await of_batch.settle(tx);
    await store.sortNewNonces(tx.db);
    tx.afterCommit(() => kept.clear());
  }

  let is_sorting = false;
  function keep(nonce: store.Nonce): void {
    kept.add(nameOf(nonce));
    if (kept.size < new_nonces_max || is_sorting) return;
    is_sorting = true;
    // What is not put in order now is with the next one.
    void transact(sortKept)
      .catch(() => {})
      .finally(() => {
        is_sorting = false;
      });
  }

  return {
    isSpent,
    async spend(tx, nonce) {
      if (await isSpent(tx, nonce)) return false;
      of_batch.add(nonce);
      tx.afterCommit(() => keep(nonce));
      return true;
    },
  };
}
