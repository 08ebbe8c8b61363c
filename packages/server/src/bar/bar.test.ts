import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitKey } from '../addresses.ts';
import { system_clock } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { openLimits } from '../limits/limits.ts';
import { MovableClock } from '../movable-clock.ts';
import type { Storage } from '../storage/storage.ts';
import { openBar } from './bar.ts';

// The limits' own test goes on to a million; here is asked that the bar gives them a bound.
const addresses_count = 150_000;
const kept_max = 100_000;

/** The `index`-th of many IPv6 networks of their own. */
const addressOf = (index: number) =>
  limitKey(`2001:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`);

describe('openBar', () => {
  it('bounds what it keeps of the addresses that knock, however many, and lets none knock more often for it [BAR-305]', async () => {
    const clock = new MovableClock(system_clock, { stopped: true });
    // @NOTE On SQLite limits touch no storage; caches are not asked for anything here.
    const limits = openLimits({ storage: {} as Storage, clock });
    const caches = { open: () => ({}), close: () => {} };
    const bar = openBar(
      { clock, limits, caches, rowBuffer: () => ({}), config: { rooms: {} } } as unknown as Deps,
      '/bar',
    );
    const early = addressOf(0);
    for (let knocks = 0; knocks < 30; knocks += 1) {
      assert.equal((await bar.knocks.take(early)).ok, true);
    }
    assert.equal((await bar.knocks.take(early)).ok, false);
    const at_start = limits.keyCount();
    for (let index = 1; index < addresses_count; index += 1)
      await bar.knocks.take(addressOf(index));
    assert.equal(at_start, 1);
    assert.ok(limits.keyCount() <= kept_max, `${limits.keyCount()} keys`);
    assert.equal((await bar.knocks.take(early)).ok, false);
    limits.close();
  });
});
