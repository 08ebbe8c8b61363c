import type { Deps } from '../../deps.ts';
import type { Tx } from '../../storage/storage.ts';
import { relations_kept_max } from '../limits.ts';
import { findThread, insertThread, putThreads, type Thread } from './thread-store.ts';

/** What a message adds to its thread. */
export type Growth = {
  readonly number: number;
  readonly at: number;
  /** Which side it comes to. */
  readonly side: 'first' | 'second';
  readonly is_unseen: boolean;
};

/** The threads as a unit of work sees them, from memory where they are known; of a batch each is written once. */
export type Threads = {
  /** Makes a thread that is there at once, as yet without a message. */
  make(
    tx: Tx,
    thread: Pick<Thread, 'id' | 'first_account' | 'second_account' | 'created_at'>,
  ): Promise<void>;
  /** Adds a message to a thread; answers the number of the one before it. */
  grow(tx: Tx, id: string, growth: Growth): Promise<number>;
  /** To be awaited in every unit of work that changes the row of a thread itself, before it does. */
  settle(tx: Tx, id: string): Promise<void>;
};

export function openThreads({ caches, rowBuffer }: Pick<Deps, 'caches' | 'rowBuffer'>): Threads {
  const cache = caches.open<Thread>({
    name: 'net-thread',
    entries_max: relations_kept_max,
    load: (id, db) => findThread(db, id),
  });
  const grown = rowBuffer(putThreads);
  return {
    async make(tx, { id, first_account, second_account, created_at }) {
      const thread = {
        id,
        first_account,
        second_account,
        created_at,
        last_message_at: created_at,
        last_number: 0,
        message_count: 0,
        first_unread: 0,
        second_unread: 0,
        first_unseen: 0,
        second_unseen: 0,
      };
      await insertThread(tx.db, thread);
      cache.put(tx, id, thread);
    },
    async grow(tx, id, { number, at, side, is_unseen }) {
      const thread = await cache.within(tx, id);
      if (!thread) throw new Error(`there is no thread ${id}`);
      const of_it = `${side}_${is_unseen ? 'unseen' : 'unread'}` as const;
      const now = {
        ...thread,
        last_message_at: at,
        last_number: number,
        message_count: thread.message_count + 1,
        [of_it]: thread[of_it] + 1,
      };
      cache.put(tx, id, now);
      grown.add(now);
      return thread.last_number;
    },
    async settle(tx, id) {
      await grown.settle(tx);
      cache.forget(tx, id);
    },
  };
}
