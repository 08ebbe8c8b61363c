import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { house_commands } from '@stoa/wire';
import { isoInstant } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { handler } from '../http/endpoint.ts';
import { RefusalError } from '../refusal.ts';
import type { CommandHandler, OpenRoom, Room } from '../room.ts';
import type { Storage } from '../storage/storage.ts';
import { version } from '../version.ts';

/** The commands that concern the whole house. */
export function houseCommands(house: {
  storage: Storage;
  deps: Deps;
  rooms: readonly { room: Room; open: OpenRoom }[];
  listening: string;
}): CommandHandler[] {
  const { storage, deps, rooms, listening } = house;
  const opened_at = deps.clock.now();
  let backed_up_s = 0;
  deps.metrics.gauge(
    'stoa_backup_seconds',
    'When the database was last copied since this process began, in Unix seconds; 0 if it was not',
    () => backed_up_s,
  );
  return [
    handler(house_commands.status, async () => {
      const counts = await Promise.all(
        rooms.map(async ({ room, open }) => {
          const counted = Object.entries(await open.counts()).map(([what, n]) => `${what}: ${n}`);
          const base = `${room.name}: ${deps.urls.room(room.name, room.mount)}`;
          return counted.length === 0 ? base : `${base} (${counted.join(', ')})`;
        }),
      );
      const lines = [
        `stoa ${version}, open since ${isoInstant(opened_at)}`,
        `listening on ${listening}, printed as ${deps.urls.origin()}`,
        `database: ${storage.engine}`,
        ...counts,
      ];
      return { said: lines.join('\n') };
    }),
    handler(house_commands.backup, async ({ file }) => {
      if (storage.engine !== 'sqlite') {
        throw new RefusalError('invalid-request', {
          detail: 'This house is on PostgreSQL; back it up with pg_dump.',
        });
      }
      if (existsSync(file)) {
        throw new RefusalError('invalid-request', { detail: `${file} exists already.` });
      }
      await storage.backUp(file).catch((error: Error) => {
        const detail = `The database was not copied to ${file}: ${error.message}`;
        throw new RefusalError('invalid-request', { detail });
      });
      backed_up_s = Math.floor(deps.clock.now() / 1_000);
      return { said: `The database was copied to ${resolve(file)}.` };
    }),
  ];
}
