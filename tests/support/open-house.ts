import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { sendCommand } from '../../packages/cli/src/send-command.ts';
import { system_clock } from '../../packages/server/src/clock.ts';
import { type Config, readConfig } from '../../packages/server/src/config.ts';
import { type House, openHouse, rooms } from '../../packages/server/src/house.ts';
import { MovableClock } from '../../packages/server/src/movable-clock.ts';
import type { Outbound } from '../../packages/server/src/outbound/outbound.ts';
import { type Random, system_random } from '../../packages/server/src/random.ts';
import type { Engine } from '../../packages/server/src/storage/storage.ts';
import { createDatabase } from './postgres.ts';
import { copySqliteTemplate } from './templates.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The instant at which a test's clock stands unless it says otherwise. */
export const test_start = Date.parse('2026-09-07T12:00:00.000Z');

export type TestHouseOptions = {
  engine: Engine;
  /** Milliseconds since 1970 at which the clock stands still. */
  start?: number;
  /** The rooms that it opens, for a test of one room: all, unless given. Each takes its time to open. */
  rooms?: readonly string[];
  /** What differs from the configuration of a fresh house. */
  config?: Partial<Config>;
  /** The text of its configuration file. */
  config_file?: string;
  /** False for a house that is not in practice mode. */
  practice?: boolean;
  /** The house's chance, if a test decides what falls. */
  random?: Random;
  /** What the house calls others by. */
  outbound?: Outbound;
  /** Where it logs; nowhere, unless a test reads it. */
  logger?: Logger;
  /** The data of another house, to be opened a second time on PostgreSQL. */
  beside?: TestHouse;
};

/** A whole house on a database of its own, listening on a free port of this machine. */
export type TestHouse = AsyncDisposable & {
  readonly engine: Engine;
  readonly house: House;
  readonly clock: MovableClock;
  readonly data: string;
  readonly database_url: string | undefined;
  /** Sends a request to a path of the main origin. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Gives an operator's command over the admin socket and answers what was said. */
  command(room: string, verb: string, given?: Record<string, unknown>): Promise<string>;
  /** Closes the house and opens it again on the same data. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** Opens a house for one test; `await using` closes it and removes what it stored. */
export async function openTestHouse(options: TestHouseOptions): Promise<TestHouse> {
  const { engine, start = test_start, config = {}, practice = true, beside } = options;
  const { random = system_random, logger = pino({ level: 'silent' }) } = options;
  const kept = new AsyncDisposableStack();
  const folder = temporaryFolder();
  kept.defer(() => folder.remove());
  let database_url = beside?.database_url;
  if (engine === 'postgres' && database_url === undefined) {
    const database = await createDatabase({ for_house: true });
    kept.defer(() => database.drop());
    database_url = database.url;
  }
  if (engine === 'sqlite') copySqliteTemplate(folder.path);
  const clock = beside?.clock ?? new MovableClock(system_clock, { start, stopped: true });
  const read = readConfig({
    argv: ['--data', folder.path, ...(database_url ? ['--database-url', database_url] : [])],
    env: {},
    readFile: () => options.config_file,
    room_schemas: Object.fromEntries(rooms.map(({ name, settings }) => [name, settings])),
  });
  const open_rooms = Object.fromEntries(
    Object.entries(read.rooms).filter(([name]) => options.rooms?.includes(name) ?? true),
  );
  const open = () =>
    openHouse({
      // On any free port, which is then the one in the URLs that are printed.
      config: { ...read, rooms: open_rooms, port: 0, public_url: '', practice, ...config },
      clock,
      random,
      logger,
      ...(practice ? { practice_clock: clock } : {}),
      ...(options.outbound ? { outbound: options.outbound } : {}),
      checks_answers: true,
    });
  let house = await open();
  const close = async () => {
    await house.close();
    await kept.disposeAsync();
  };
  return {
    engine,
    clock,
    database_url,
    data: folder.path,
    get house() {
      return house;
    },
    fetch: (path, init) => fetch(house.listening + path, init),
    async command(room, verb, given = {}) {
      const socket = join(folder.path, 'admin.sock');
      return (await sendCommand({ socket, path: `/${room}/${verb}`, given })).said;
    },
    async restart() {
      await house.close();
      house = await open();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
