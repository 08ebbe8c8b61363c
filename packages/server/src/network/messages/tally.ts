import type { Deps } from '../../deps.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import { accounts_kept_max, day_ms, minute_ms } from '../limits.ts';
import type { NetworkSettings } from '../network.ts';
import type { Tally } from '../tables.ts';
import { findChunk, findTally, insertChunks, putTallies } from './tally-store.ts';

/** Of an account: how many events there were, and when the last of them, which are at least `tallied_min`. */
type Tallied = { readonly last: number; readonly instants: Buffer };

/** Events whose instants lie in one chunk. */
const chunk_events = 16;
/** Of each account as many events at least are looked up without a chunk: so many as pass within a minute. */
const tallied_min = 32;

/** Octets of a packed instant. */
const instant_octets = 6;

const unpack = (instants: Buffer, index: number) =>
  instants.readUIntBE(index * instant_octets, instant_octets);

function pack(instant: number): Buffer {
  const octets = Buffer.alloc(instant_octets);
  octets.writeUIntBE(instant, 0, instant_octets);
  return octets;
}

type Counted = {
  readonly limits: NetworkSettings['limits'];
  readonly tally: Tally;
  readonly account: string;
  readonly now: number;
};

/**
 * What is counted of accounts, from rows, house-wide: a restart forgets none, and of parallel ones none is too
 * many (D-NET-36).
 */
export type Tallies = {
  /** How long the next event of an account would have to wait, in milliseconds; undefined if it need not. */
  look(counted: Counted): Promise<number | undefined>;
  /** Counts an event of an account; or answers how long it has to wait, and counts nothing. */
  count(tx: Tx, counted: Counted): Promise<number | undefined>;
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

const keyOf = ({ tally, account }: Counted) => `${tally} ${account}`;

const none: Tallied = { last: 0, instants: Buffer.alloc(0) };

async function load(key: string, db: Db): Promise<Tallied> {
  const [tally = '', account = ''] = key.split(' ');
  // @NOTE `keyOf` alone makes these keys.
  const row = await findTally(db, { tally: tally as Tally, account });
  return row ? { last: row.last, instants: row.instants } : none;
}

/**
 * When the event was that is so many back from the next one; undefined if there was none, or it is forgotten.
 * `db` is asked for what is not among the last instants.
 */
async function instantOf(
  { last, instants }: Tallied,
  { tally, account }: Counted,
  back: number,
  db: () => Promise<Db>,
): Promise<number | undefined> {
  if (back > last) return undefined;
  const known = instants.length / instant_octets;
  if (back <= known) return unpack(instants, known - back);
  const index = last - back;
  const chunk = await findChunk(await db(), {
    tally,
    account,
    chunk: Math.floor(index / chunk_events),
  });
  return chunk && unpack(chunk, index % chunk_events);
}

async function waitOf(
  tallied: Tallied,
  counted: Counted,
  db: () => Promise<Db>,
): Promise<number | undefined> {
  const { per_minute, per_day } = allowances(counted.limits, counted.tally);
  const waitAfter = async (back: number, span_ms: number) => {
    const at = await instantOf(tallied, counted, back, db);
    return at === undefined ? 0 : at + span_ms - counted.now;
  };
  const day_wait_ms = await waitAfter(per_day, day_ms);
  const minute_wait_ms = per_minute === per_day ? 0 : await waitAfter(per_minute, minute_ms);
  const wait_ms = Math.max(day_wait_ms, minute_wait_ms);
  return wait_ms > 0 ? wait_ms : undefined;
}

/** Opens what the network keeps of its counts in memory. */
export function openTallies({
  caches,
  read,
  rowBuffer,
}: Pick<Deps, 'caches' | 'read' | 'rowBuffer'>): Tallies {
  const cache = caches.open<Tallied>({ name: 'net-tally', entries_max: accounts_kept_max, load });
  const rows = rowBuffer(putTallies);
  const chunks = rowBuffer(insertChunks);

  /** Adds an event to what was counted, and puts instants that are many into a chunk. */
  function add(tallied: Tallied, { tally, account, now }: Counted): Tallied {
    const last = tallied.last + 1;
    const instants = Buffer.concat([tallied.instants, pack(now)]);
    const events = instants.length / instant_octets;
    if (events < chunk_events + tallied_min) return { last, instants };
    const chunk = (last - events) / chunk_events;
    const chunked = instants.subarray(0, chunk_events * instant_octets);
    const last_at = unpack(chunked, chunk_events - 1);
    chunks.add({ tally, account, chunk, last_at, instants: chunked });
    return { last, instants: Buffer.from(instants.subarray(chunked.length)) };
  }

  return {
    async look(counted) {
      const tallied = (await cache.get(keyOf(counted))) ?? none;
      return waitOf(tallied, counted, async () => read);
    },
    async count(tx, counted) {
      const key = keyOf(counted);
      const tallied = (await cache.within(tx, key)) ?? none;
      const wait_ms = await waitOf(tallied, counted, async () => {
        await chunks.settle(tx);
        return tx.db;
      });
      if (wait_ms !== undefined) return wait_ms;
      const { tally, account, now } = counted;
      const grown = add(tallied, counted);
      cache.put(tx, key, grown);
      rows.add({ tally, account, last_at: now, ...grown });
      return undefined;
    },
  };
}
