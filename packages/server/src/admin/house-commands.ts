import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CommandAnswer, house_commands } from '@stoa/wire';
import { isoInstant } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { writeFault } from '../file-faults.ts';
import { handler } from '../http/endpoint.ts';
import { RefusalError } from '../refusal.ts';
import type { CommandHandler, OpenRoom, Room } from '../room.ts';
import type { Storage } from '../storage/storage.ts';
import { version } from '../version.ts';

/** What `stoa status` prints. */
function statusText(status: Omit<CommandAnswer<typeof house_commands.status>, 'said'>): string {
  const { version, opened_at, listening, origin, practice, database, rooms } = status;
  const lines = Object.entries(rooms).map(([name, { url, counts, paused }]) => {
    const counted = Object.entries(counts).map(([what, count]) => `${what}: ${count}`);
    const holds = counted.length === 0 ? '' : ` (${counted.join(', ')})`;
    return `${name}: ${url}${holds}${paused.map((what) => `, ${what} is paused`).join('')}`;
  });
  return [
    `stoa ${version}, open since ${opened_at}${practice ? ', in practice mode' : ''}`,
    `listening on ${listening}${origin === listening ? '' : `, printed as ${origin}`}`,
    `database: ${database}`,
    ...lines,
  ].join('\n');
}

/** The commands that concern the whole house. */
export function houseCommands(house: {
  storage: Storage;
  deps: Deps;
  rooms: readonly { room: Room; open: OpenRoom }[];
  listening: string;
  practice: boolean;
}): CommandHandler[] {
  const { storage, deps, rooms, listening, practice } = house;
  const opened_at = deps.clock.now();
  let backed_up_s = 0;
  deps.metrics.gauge(
    'stoa_backup_seconds',
    'When the database was last copied since this process began, in Unix seconds; 0 if it was not',
    () => backed_up_s,
  );
  return [
    handler(house_commands.status, async () => {
      const counted = await Promise.all(
        rooms.map(async ({ room, open }) => {
          const url = deps.urls.room(room.name, room.mount);
          const paused = [...((await open.paused?.()) ?? [])];
          return [room.name, { url, counts: await open.counts(), paused }] as const;
        }),
      );
      const answer = {
        version,
        opened_at: isoInstant(opened_at),
        listening,
        origin: deps.urls.origin(),
        practice,
        database: storage.engine,
        rooms: Object.fromEntries(counted),
      };
      return { said: statusText(answer), ...answer };
    }),
    handler(house_commands.backup, async ({ file }) => {
      if (storage.engine !== 'sqlite') {
        const before = rooms.flatMap(({ open }) => open.back_up_first ?? []);
        const first = before.map((command) => `first by \`stoa ${command}\`, then `).join('');
        throw new RefusalError('invalid-request', {
          detail: `This house is on PostgreSQL; back it up ${first}with pg_dump.`,
        });
      }
      if (existsSync(file)) {
        const detail = `${file} exists already; name another file, or move it away first.`;
        throw new RefusalError('invalid-request', { detail });
      }
      const copies: { path: string; said: string }[] = [];
      try {
        // Before the database: nothing is then beside it that it knows nothing of.
        for (const { open } of rooms) {
          const copy = await open.backUp?.(resolve(file));
          if (copy) copies.push(copy);
        }
        await storage.backUp(file);
      } catch (error) {
        for (const { path } of copies) await rm(path, { recursive: true, force: true });
        const detail = `The database was not copied to ${file}: ${writeFault(error, file)}.`;
        throw new RefusalError('invalid-request', { detail });
      }
      backed_up_s = Math.floor(deps.clock.now() / 1_000);
      const said = [
        `The database was copied to ${resolve(file)}.`,
        ...copies.map((copy) => copy.said),
      ];
      return { said: said.join('\n') };
    }),
  ];
}
