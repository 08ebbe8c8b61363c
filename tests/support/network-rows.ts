import type { TestContext } from 'node:test';
import { openCaches } from '../../packages/server/src/cache/caches.ts';
import { system_clock } from '../../packages/server/src/clock.ts';
import type { Deps } from '../../packages/server/src/deps.ts';
import { MovableClock } from '../../packages/server/src/movable-clock.ts';
import { network_migrations } from '../../packages/server/src/network/migrations.ts';
import { RowBuffer } from '../../packages/server/src/storage/row-buffer.ts';
import { openTestStorage } from './open-storage.ts';

/** The tables of the network on SQLite, and what the room keeps of them in memory, without a house around them. */
export async function openNetworkRows(t: TestContext) {
  const kept = await openTestStorage('sqlite');
  t.after(() => kept[Symbol.asyncDispose]());
  const { storage } = kept;
  await storage.migrate(network_migrations);
  const clock = new MovableClock(system_clock, { stopped: true });
  const rowBuffer: Deps['rowBuffer'] = (write) => {
    const buffer = new RowBuffer(write);
    storage.join(buffer);
    return buffer;
  };
  /** Memory that knows nothing yet, as after a start. */
  const openMemory = () => {
    const caches = openCaches(storage, clock);
    t.after(() => caches.close());
    return { caches, read: storage.read, rowBuffer, transact: storage.transact };
  };
  return { ...storage, clock, openMemory };
}

/** Undoes a unit of work. */
export class Undone extends Error {}
