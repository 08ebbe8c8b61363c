import type { Deps } from '../../deps.ts';
import type { Tx } from '../../storage/storage.ts';
import { findQueueEnd, putQueueEnds, type QueueEnd } from '../delivery/queue-store.ts';
import { accounts_kept_max } from '../limits.ts';
import { lastMessageNumber, type MessageRow } from './message-store.ts';

/** Where the next message goes: among all, and in its recipient's queue. */
export type Place = Pick<MessageRow, 'number' | 'seq' | 'previous_queued'>;

/** Gives out the places of messages, from memory where the last ones are known. */
export type Places = {
  /** The next place, in the queue of `to_account` unless it is null, within the unit of work that files a message there. */
  take(tx: Tx, to_account: string | null): Promise<Place>;
  /** The `seq` of the last message of a queue as a unit of work sees it. */
  lastSeq(tx: Tx, account: string): Promise<number>;
};

const of_all = 'last';

export function openPlaces({ caches, rowBuffer }: Pick<Deps, 'caches' | 'rowBuffer'>): Places {
  const last = caches.open<number>({
    name: 'net-message-number',
    entries_max: 1,
    load: (_, db) => lastMessageNumber(db),
  });
  const queue_ends = caches.open<QueueEnd>({
    name: 'net-queue-end',
    entries_max: accounts_kept_max,
    load: (account, db) => findQueueEnd(db, account),
  });
  const moved_ends = rowBuffer(putQueueEnds);
  // @NOTE Also an empty queue has an end, so there always is one.
  const queueEnd = (tx: Tx, account: string) => queue_ends.within(tx, account) as Promise<QueueEnd>;
  return {
    async take(tx, to_account) {
      const number = ((await last.within(tx, of_all)) ?? 0) + 1;
      last.put(tx, of_all, number);
      if (to_account === null) return { number, seq: null, previous_queued: 0 };
      const end = await queueEnd(tx, to_account);
      const seq = end.seq + 1;
      queue_ends.put(tx, to_account, { seq, number });
      moved_ends.add({ account: to_account, seq, number });
      return { number, seq, previous_queued: end.number };
    },
    lastSeq: async (tx, account) => (await queueEnd(tx, account)).seq,
  };
}
