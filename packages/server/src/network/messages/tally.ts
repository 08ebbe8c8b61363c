import type { Deps } from '../../deps.ts';
import { engineOf } from '../../storage/engine-of.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import { accounts_kept_max, day_ms, minute_ms } from '../limits.ts';
import type { NetworkSettings } from '../network.ts';
import type { Tally } from '../tables.ts';
import { chunkUp, instantsOf, lastOf, placeOf } from './tally-chunks.ts';
import * as store from './tally-store.ts';

/** What is known of an account's events. */
type Tallied = {
  /** How many there were, and how many of them are in chunks. */
  readonly last: number;
  readonly chunked: number;
  /** When the last of them were: all that are in no chunk, and some before. */
  readonly instants: readonly number[];
};

/** So many that are in chunks are kept: as pass within a minute, and no fewer than a chunk has. */
const instants_kept = 32;

/** Events that are in no chunk yet: after so many they are put there. Whoever reads an account's looks through them. */
const counted_max = 2_048;
/** On PostgreSQL every send reads them, for another process may have counted. */
const counted_max_shared = 64;

type Counted = {
  readonly limits: NetworkSettings['limits'];
  readonly tally: Tally;
  readonly account: string;
  readonly now: number;
};

/**
 * What is counted of accounts, from rows, house-wide: a restart forgets none, and of parallel ones none is too
 * many (D-NET-36). What is counted is written down in the order in which it comes, and from time to time put where
 * the rest of the account's lies: a row an account would be a page to write for each event.
 */
export type Tallies = {
  /** How long the next event of an account would have to wait, in milliseconds; undefined if it need not. */
  look(counted: Counted): Promise<number | undefined>;
  /** Counts an event of an account; or answers how long it has to wait, and counts nothing. */
  count(tx: Tx, counted: Counted): Promise<number | undefined>;
  /** Forgets what was counted until an instant. */
  forget(tx: Tx, until: number): Promise<void>;
};

/** How many of each pass within a minute, where that is limited too, and within a day. */
function allowances(limits: NetworkSettings['limits'], tally: Tally) {
  const { messages_per_minute_max, messages_per_day_max } = limits;
  const per_day = {
    messages: messages_per_day_max,
    requests: limits.requests_per_day_max,
    'requests-to': limits.agent_requests_per_day_max,
  }[tally];
  return { per_minute: tally === 'messages' ? messages_per_minute_max : per_day, per_day };
}

type Key = Pick<Counted, 'tally' | 'account'>;

const keyOf = ({ tally, account }: Key) => `${tally} ${account}`;

const none: Tallied = { last: 0, chunked: 0, instants: [] };

async function load(key: string, db: Db): Promise<Tallied> {
  const [tally = '', account = ''] = key.split(' ');
  // @NOTE `keyOf` alone makes these keys.
  const { chunks, events, last } = await store.findTally(db, { tally: tally as Tally, account });
  const [latest] = chunks.slice(-1);
  const chunked = latest ? lastOf(latest) : 0;
  return {
    last: Math.max(last, chunked),
    chunked,
    instants: [...chunks.flatMap(({ instants }) => instantsOf(instants)), ...events],
  };
}

/** When the event was that is so many back from the next one, if it is in memory; 0 if there was none. */
function knownInstantOf({ last, instants }: Tallied, back: number): number | undefined {
  return back > last ? 0 : instants[instants.length - back];
}

/** The same from its chunk; 0 also if it is forgotten. */
async function chunkedInstantOf(
  { last }: Tallied,
  { tally, account }: Counted,
  back: number,
  db: Db,
): Promise<number> {
  const { chunk, index } = placeOf(last + 1 - back);
  const found = await store.findChunk(db, { tally, account, chunk });
  return (found && instantsOf(found)[index]) ?? 0;
}

async function waitOf(
  tallied: Tallied,
  counted: Counted,
  db: () => Db,
): Promise<number | undefined> {
  const { per_minute, per_day } = allowances(counted.limits, counted.tally);
  const day_ago =
    knownInstantOf(tallied, per_day) ?? (await chunkedInstantOf(tallied, counted, per_day, db()));
  const minute_ago =
    knownInstantOf(tallied, per_minute) ??
    (await chunkedInstantOf(tallied, counted, per_minute, db()));
  const minute_end = per_minute === per_day ? 0 : minute_ago + minute_ms;
  const wait_ms = Math.max(day_ago + day_ms, minute_end) - counted.now;
  return wait_ms > 0 ? wait_ms : undefined;
}

/** Opens what the network keeps of its counts in memory. */
export function openTallies({
  caches,
  read,
  rowBuffer,
  transact,
}: Pick<Deps, 'caches' | 'read' | 'rowBuffer' | 'transact'>): Tallies {
  const cache = caches.open<Tallied>({ name: 'net-tally', entries_max: accounts_kept_max, load });
  const counted_rows = rowBuffer(store.insertCounted);
  const unchunked_max = engineOf(read) === 'sqlite' ? counted_max : counted_max_shared;
  // An earlier process may have left some.
  let unchunked = unchunked_max;

  /** Puts what is in no chunk there. */
  async function chunkCounted(tx: Tx): Promise<void> {
    await counted_rows.settle(tx);
    const chunks: store.ChunkRow[] = [];
    for (const of of await store.listCountedOf(tx.db)) {
      const { last, chunked, instants } = (await cache.within(tx, keyOf(of))) ?? none;
      // Of what was forgotten before its last events were put there, these alone are left.
      const first = Math.max(chunked, last - instants.length) + 1;
      chunks.push(...chunkUp(of, { first, last, instants }));
      const kept = instants.slice(-instants_kept);
      cache.put(tx, keyOf(of), { last, chunked: last, instants: kept });
    }
    await store.putChunks(tx.db, chunks);
    await store.deleteCounted(tx.db);
  }

  function noteCounted(): void {
    unchunked += 1;
    if (unchunked < unchunked_max) return;
    unchunked = 0;
    // What is not put there now is by the next one.
    void transact(chunkCounted).catch(() => {
      unchunked = unchunked_max;
    });
  }

  return {
    async look(counted) {
      const tallied = (await cache.get(keyOf(counted))) ?? none;
      return waitOf(tallied, counted, () => read);
    },
    async count(tx, counted) {
      const key = keyOf(counted);
      const tallied = (await cache.within(tx, key)) ?? none;
      const wait_ms = await waitOf(tallied, counted, () => tx.db);
      if (wait_ms !== undefined) return wait_ms;
      const { tally, account, now } = counted;
      const event = tallied.last + 1;
      cache.put(tx, key, { ...tallied, last: event, instants: [...tallied.instants, now] });
      counted_rows.add({ tally, account, event, at: now });
      tx.afterCommit(noteCounted);
      return undefined;
    },
    async forget(tx, until) {
      await chunkCounted(tx);
      await store.deleteChunks(tx.db, until);
    },
  };
}
