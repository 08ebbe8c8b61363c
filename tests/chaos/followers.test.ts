import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { system_clock } from '../../packages/server/src/clock.ts';
import { type LogEntry, openLog } from '../../packages/server/src/log/log.ts';
import { openWaiters } from '../../packages/server/src/log/waiters.ts';
import type { Storage } from '../../packages/server/src/storage/storage.ts';
import { forEachEngine } from '../support/engines.ts';
import { startAppender } from './append-process.ts';
import { type Chance, chanceOf, drawChance, drawn } from './draw.ts';
import {
  carryOut,
  checkLedger,
  drawUnit,
  ledger_migrations,
  newPlace,
  openPlace,
  type Place,
  stream_names,
} from './ledger.ts';

/** Writes `units` with many hands: in this process on SQLite, in three others on PostgreSQL. */
async function writeAll(storage: Storage, place: Place, units: number, chance: Chance) {
  const seed = chance.below(2 ** 31);
  if (storage.engine === 'sqlite') {
    const log = openLog(storage);
    let begun = 0;
    const work = async (hand: number) => {
      const own = chanceOf(seed + hand);
      for (let n = 0; begun++ < units; n += 1) {
        await carryOut(storage, log, drawUnit(own, `own ${hand} ${n}`));
        // Hands that do not march in step, so that batches are of every size.
        if (own.onceIn(8)) await sleep(own.below(5));
      }
    };
    await Promise.all(Array.from({ length: 24 }, (_, hand) => work(hand)));
    return;
  }
  await using stack = new AsyncDisposableStack();
  const appenders = [1, 2, 3].map((run) =>
    stack.use(
      startAppender({
        place,
        run: `${run}`,
        seed: seed + 100 * run,
        hands: 8,
        units_max: Math.ceil(units / 3),
      }),
    ),
  );
  for (const { exited, stderr } of appenders) {
    assert.deepEqual(await exited, { code: 0, signal: null }, stderr.join('\n'));
  }
}

type Follower = { stream: string; seen: LogEntry[]; read: (after: number) => Promise<LogEntry[]> };

/** Reads on after the last entry it has seen until it has seen `last`, once that is known. */
async function follow(follower: Follower, last: () => Map<string, number> | undefined) {
  const { stream, seen, read } = follower;
  for (;;) {
    // Asked before the read: what is committed by then is in its answer.
    const end = last()?.get(stream);
    const page = await read(seen.at(-1)?.position ?? 0);
    for (const entry of page) {
      const before = seen.at(-1);
      assert.ok(entry.position > (before?.position ?? 0), `${stream} ${entry.position}: in order`);
      assert.deepEqual(entry.prev_hash, before?.hash, `${stream} ${entry.position}: none skipped`);
      seen.push(entry);
    }
    if (end !== undefined && (seen.at(-1)?.position ?? 0) === end) return;
    if (page.length === 0) await sleep(1);
  }
}

/** Cuts the connection by which a process of the house hears of others' commits, over and over. */
async function severListeners(storage: Storage, chance: Chance, is_over: () => boolean) {
  let cuts = 0;
  while (!is_over()) {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'stoa listener' and datname = current_database()`.execute(
      storage.read,
    );
    cuts += rows.length;
    await sleep(chance.below(300));
  }
  return cuts;
}

forEachEngine((engine) => {
  test('followers see every entry of every stream, once and in order, while many write', async (t) => {
    const chance = drawChance(t);
    await using place = await newPlace(engine);
    await using kept = new AsyncDisposableStack();
    const storage = kept.adopt(openPlace(place), (opened) => opened.close());
    await storage.migrate(ledger_migrations);
    const log = openLog(storage);
    const waiters = openWaiters(storage, system_clock);
    const signal = new AbortController().signal;

    const followers = stream_names.flatMap((stream): Follower[] => [
      { stream, seen: [], read: (after) => log.readAfter(stream, after, 1 + chance.below(40)) },
      {
        stream,
        seen: [],
        read: async (after) => {
          const read = async () => {
            const page = await log.readAfter(stream, after, 100);
            return page.length > 0 ? page : undefined;
          };
          // So long that the test would not end if it went by the clock.
          const wait_ms = last === undefined ? 600_000 : 0;
          return (await waiters.waitFor({ topics: [stream], wait_ms, signal, read })) ?? [];
        },
      },
    ]);
    let last: Map<string, number> | undefined;
    const following = Promise.all(followers.map((follower) => follow(follower, () => last)));
    following.catch(() => {});
    const severing =
      engine === 'postgres' ? severListeners(storage, chance, () => last !== undefined) : 0;

    const units = engine === 'sqlite' ? drawn(20_000, 1_500) : drawn(6_000, 300);
    await writeAll(storage, place, units, chance);
    const { seen } = await checkLedger(storage, new Map(), '');
    last = new Map([...seen].map(([stream, head]) => [stream, head.position]));
    // Who waits for more is told that there is none.
    waiters.close();
    await following;
    for (const follower of followers) {
      const whole = await log.readAfter(follower.stream, 0, 1_000_000);
      assert.deepEqual(follower.seen, whole, follower.stream);
    }
    const entries = followers.reduce((sum, follower) => sum + follower.seen.length, 0) / 2;
    t.diagnostic(`${entries} entries followed, LISTEN severed ${await severing} times`);
  });
});
