import type { Db, Tx } from '../../storage/storage.ts';
import { day_ms, minute_ms } from '../limits.ts';
import type { NetworkSettings } from '../network.ts';
import type { Tally } from '../tables.ts';
import { findTallied, insertTally } from './tally-store.ts';

type Counted = {
  readonly limits: NetworkSettings['limits'];
  readonly tally: Tally;
  readonly account: string;
  readonly now: number;
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

/** Where the count of an account stands: its last number, and how long the next one has to wait, if it must. */
async function lookTally(db: Db, { limits, tally, account, now }: Counted) {
  const { per_minute, per_day } = allowances(limits, tally);
  const asked = { tally, account, short: per_minute, long: per_day };
  const { last, at_short, at_long } = await findTallied(db, asked);
  // Where a minute is not limited, both instants are of the same event.
  const waits_ms = [
    (at_short ?? Number.NEGATIVE_INFINITY) + minute_ms - now,
    (at_long ?? Number.NEGATIVE_INFINITY) + day_ms - now,
  ];
  const wait_ms = Math.max(...waits_ms);
  return { last, retry_after_ms: wait_ms > 0 ? wait_ms : undefined };
}

/** How long the next event of an account would have to wait, in milliseconds; undefined if it need not. */
export async function lookAtTally(db: Db, counted: Counted): Promise<number | undefined> {
  return (await lookTally(db, counted)).retry_after_ms;
}

/**
 * Counts an event of an account; or answers how long it has to wait, and counts nothing. Counted from rows,
 * house-wide: a restart forgets none, and of parallel ones none is too many (D-NET-36).
 */
export async function countTally({ db }: Tx, counted: Counted): Promise<number | undefined> {
  const { last, retry_after_ms } = await lookTally(db, counted);
  if (retry_after_ms !== undefined) return retry_after_ms;
  const { tally, account, now } = counted;
  await insertTally(db, { tally, account, number: last + 1, at: now });
  return undefined;
}
