import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { clearStaleSocket, openAdminSocket } from './admin/admin-socket.ts';
import { houseCommands } from './admin/house-commands.ts';
import { openMetricsPort } from './admin/metrics-port.ts';
import { bar, type OpenBar } from './bar/room.ts';
import { openCaches } from './cache/caches.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { forum, type OpenForum } from './forum/room.ts';
import { hasManual } from './front/house-manual.ts';
import { frontRoom } from './front/room.ts';
import { guestbook } from './guestbook/room.ts';
import { openHost } from './http/host.ts';
import { openJobs } from './jobs/jobs.ts';
import { jobs_migrations } from './jobs/jobs-tables.ts';
import { karma } from './karma/room.ts';
import { openLimits } from './limits/limits.ts';
import { limits_migrations } from './limits/limits-tables.ts';
import { openLog } from './log/log.ts';
import { log_migrations } from './log/log-tables.ts';
import { openWaiters } from './log/waiters.ts';
import { openMetrics } from './metrics.ts';
import type { MovableClock } from './movable-clock.ts';
import { moved_file, moving_file } from './move-house.ts';
import { network } from './network/room.ts';
import { type Outbound, openOutbound } from './outbound/outbound.ts';
import type { Random } from './random.ts';
import type { Room } from './room.ts';
import { houseKey, secrets_migrations } from './secrets.ts';
import { openSignatures } from './signatures/signatures.ts';
import { StartError, startFault } from './start-fault.ts';
import type { Migration } from './storage/migrate.ts';
import { openPostgres } from './storage/postgres/open-postgres.ts';
import { RowBuffer } from './storage/row-buffer.ts';
import { openSqlite } from './storage/sqlite/open-sqlite.ts';
import type { Engine, Storage } from './storage/storage.ts';
import { openUrls } from './urls.ts';

/** The rooms that a house can open; its configuration says which it does. */
export const rooms: readonly Room[] = [bar, forum, guestbook, karma, network];

const signing_keys_max = 10_000;

/** For so long at most what was removed lies in the journal of the database. */
const journal_kept_ms = 3_600_000;

export type HouseOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Given in practice mode: the clock that callers may move. */
  readonly practice_clock?: MovableClock;
  /** In place of the network that the machine is in (tests). */
  readonly outbound?: Outbound;
  /** Holds every answer to its schema (tests). */
  readonly checks_answers?: boolean;
};

/** A house at work. */
export type House = {
  /** The main origin as it is printed. */
  readonly origin: string;
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly listening: string;
  /** The base URL of each open room. */
  readonly rooms: Readonly<Record<string, string>>;
  /** For each open room that has no page, the URL of the text that says what it is. */
  readonly texts: Readonly<Record<string, string>>;
  /** What its operator should know, a sentence each. */
  readonly notices: readonly string[];
  readonly deps: Deps;
  /** Stops listening, finishes what was accepted, and closes the database. */
  close(): Promise<void>;
};

/** What makes the tables of a house, whichever rooms are open in it. */
export function migrationsOf(engine: Engine): readonly Migration[] {
  return [
    ...log_migrations,
    ...jobs_migrations,
    ...limits_migrations[engine],
    ...secrets_migrations,
    ...rooms.flatMap((room) => room.migrations),
  ];
}

function openStorage({ data, database_url, postgres }: Config): Storage {
  if (database_url !== undefined) return openPostgres(database_url, postgres.readers_max);
  const path = join(data, 'stoa.db');
  const moved_path = join(data, moved_file);
  if (!existsSync(path) && existsSync(moved_path)) {
    throw new StartError(
      `the house of ${data} has moved to PostgreSQL; name its database_url, or take ${moved_path} away to begin a new house here`,
    );
  }
  const moving_path = join(data, moving_file);
  if (existsSync(moving_path)) {
    throw new StartError(
      `a move of the house of ${data} to PostgreSQL broke off; \`stoa move-to-postgres\` begins anew, or says that all was there already; to stay here, take ${moving_path} away`,
    );
  }
  return openSqlite(path);
}

/** Says so if there is a SQLite database beside a house that is on PostgreSQL. */
function ignoredDatabase({ data, database_url }: Config): string[] {
  const path = join(data, 'stoa.db');
  if (database_url === undefined || !existsSync(path)) return [];
  return [
    `NOT OPENED: ${path}. This house is on PostgreSQL. To have the one in that file there, \`stoa move-to-postgres\` takes it along to an empty database; else move the file away`,
  ];
}

/** Makes a folder and those it lies in; what exists stays as it is. */
function makeFolder(path: string): void {
  // Step by step: a recursive mkdir of Node tries for ever where the file system makes no folders.
  if (existsSync(path)) return;
  makeFolder(dirname(resolve(path)));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Opens the database, the rooms and the doors, in this order, and closes them the other way round.
 * Rejects with a `StartError` if a setting keeps it from opening.
 */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { config, clock, random, logger } = options;
  const opened = new AsyncDisposableStack();
  try {
    makeFolder(config.data);
    const socket_path = join(config.data, 'admin.sock');
    // Before the database is touched: a SQLite file belongs to one process.
    await clearStaleSocket(socket_path);
    const storage = openStorage(config);
    opened.defer(() => storage.close());
    const open_rooms = rooms.filter((room) => config.rooms[room.name]?.is_mounted);
    await storage.migrate(migrationsOf(storage.engine));

    let listening = '';
    const metrics = openMetrics();
    const waiters = openWaiters(storage, clock);
    const limits = openLimits({ storage, clock });
    opened.defer(() => limits.close());
    const caches = openCaches(storage, clock);
    opened.defer(() => caches.close());
    const jobs = openJobs({ storage, clock, random, logger });
    jobs.every('storage.truncate-journal', {
      every_ms: journal_kept_ms,
      run: () => storage.truncateJournal(),
    });
    const signatures = openSignatures({ keys_max: signing_keys_max });
    opened.defer(() => signatures.close());
    const deps: Deps = {
      config,
      clock,
      random,
      logger,
      log: openLog(storage),
      transact: storage.transact,
      read: storage.read,
      rowBuffer(write) {
        const buffer = new RowBuffer(write);
        storage.join(buffer);
        return buffer;
      },
      caches,
      waiters,
      jobs,
      limits,
      signatures,
      outbound: options.outbound ?? openOutbound(),
      metrics,
      urls: openUrls(() => config.public_url || listening, config.hosts),
      checks_answers: options.checks_answers ?? false,
      house_key: await houseKey(storage, random),
    };
    metrics.gauge('stoa_waiters', 'Callers who wait for something new', () => waiters.count());

    const mounted = open_rooms.map((room) => ({ room, open: room.open(deps) }));
    opened.defer(() => {
      for (const { open } of mounted) open.close?.();
    });
    // @NOTE This is what the bar's own `open` has answered; the list takes it for any room's.
    const open_bar = mounted.find(({ room }) => room === bar)?.open as OpenBar | undefined;
    // @NOTE The same of the forum's.
    const open_forum = mounted.find(({ room }) => room === forum)?.open as OpenForum | undefined;
    const { practice_clock } = options;
    const front = frontRoom({
      rooms: mounted,
      ping: () => storage.ping(),
      ...(practice_clock ? { practice_clock } : {}),
      ...(practice_clock && open_bar ? { setTrust: open_bar.setTrust } : {}),
      ...(practice_clock && open_forum ? { makeOwnerLink: open_forum.makeOwnerLink } : {}),
    });
    const host = await openHost(deps, [{ room: front, open: front.open(deps) }, ...mounted]);
    opened.defer(() => host.close());
    opened.defer(() => waiters.close());
    const port = await host.listen();
    const address = config.host.includes(':') ? `[${config.host}]` : config.host;
    listening = `http://${address}:${port}`;
    const notices = ignoredDatabase(config);
    for (const { open } of mounted) {
      await open.start?.();
      notices.push(...((await open.notices?.()) ?? []));
    }

    const admin = await openAdminSocket({
      path: socket_path,
      metrics,
      logger,
      commands: [
        ...houseCommands({ storage, deps, rooms: mounted, listening, practice: !!practice_clock }),
        ...mounted.flatMap(({ open }) => open.commands),
      ],
    });
    opened.defer(() => admin.close());
    if (config.metrics.port !== undefined) {
      const port = await openMetricsPort(metrics, config.metrics.host, config.metrics.port);
      opened.defer(() => port.close());
    }
    jobs.start();
    opened.defer(() => jobs.stop());
    logger.info({ listening }, 'listening');

    const closing = opened.move();
    return {
      origin: deps.urls.origin(),
      listening,
      rooms: Object.fromEntries(
        open_rooms.map(({ name, mount }) => [name, deps.urls.room(name, mount)]),
      ),
      texts: Object.fromEntries(
        mounted
          .filter(({ open }) => open.pages.length === 0 && hasManual(open))
          .map(({ room }) => [room.name, `${deps.urls.room(room.name, room.mount)}/llms.txt`]),
      ),
      notices,
      deps,
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw startFault(error, config);
  }
}
