import { sql } from 'kysely';
import type { Migration } from '../storage/migrate.ts';
import type { Engine } from '../storage/storage.ts';

/** The tables of limits that processes share. */
export type LimitTables = {
  limit_bucket: {
    limiter: string;
    key: string;
    /** When the bucket will be full, in milliseconds. */
    full_at: number;
    /** Whether the last attempt passed. */
    was_taken: boolean;
  };
  limit_window: {
    limiter: string;
    key: string;
    /** When those passed that count, in milliseconds, ascending. */
    instants: number[];
    was_counted: boolean;
    /** When nothing of it counts any more. */
    over_at: number;
  };
  limit_place: {
    limiter: string;
    key: string;
    /** 1 upwards. */
    slot: number;
    /** The process that gave it out, and which of its places this is. */
    holder: string;
    /** When it is free again, whatever became of its holder. */
    over_at: number;
    /** Whether nobody had the slot when it was last taken. */
    was_empty: boolean;
  };
  /** How many rows `limit_place` has. */
  limit_total: { limiter: string; places: number };
};

const postgres: readonly Migration[] = [
  {
    name: 'limits-001-shared',
    async up(db) {
      // Full pages with room for the next version of a row keep updates within the page.
      await sql`
        create unlogged table limit_bucket (
          limiter text collate "C" not null,
          key text collate "C" not null,
          full_at bigint not null,
          was_taken boolean not null,
          primary key (limiter, key)
        ) with (fillfactor = 70)`.execute(db);
      await sql`
        create unlogged table limit_window (
          limiter text collate "C" not null,
          key text collate "C" not null,
          instants bigint[] not null,
          was_counted boolean not null,
          over_at bigint not null,
          primary key (limiter, key)
        ) with (fillfactor = 70)`.execute(db);
    },
  },
  {
    name: 'limits-002-places',
    async up(db) {
      await sql`
        create unlogged table limit_place (
          limiter text collate "C" not null,
          key text collate "C" not null,
          slot integer not null,
          holder text collate "C" not null,
          over_at bigint not null,
          primary key (limiter, key, slot)
        ) with (fillfactor = 70)`.execute(db);
      await sql`
        create unlogged table limit_holder (
          limiter text collate "C" not null,
          holder text collate "C" not null,
          places bigint not null,
          over_at bigint not null,
          primary key (limiter, holder)
        ) with (fillfactor = 70)`.execute(db);
      await sql`
        create unlogged table limit_total (
          limiter text collate "C" primary key,
          places bigint not null
        ) with (fillfactor = 10)`.execute(db);
    },
  },
  {
    name: 'limits-003-counted-places',
    async up(db) {
      await sql`truncate limit_place, limit_total`.execute(db);
      await sql`drop table limit_holder`.execute(db);
      await sql`alter table limit_place add column was_empty boolean not null`.execute(db);
    },
  },
];

/** The migrations of limits: on SQLite they live in memory and need none. */
export const limits_migrations: Readonly<Record<Engine, readonly Migration[]>> = {
  sqlite: [],
  postgres,
};
