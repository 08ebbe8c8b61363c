import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { Pool } from 'pg';
import { clientSettings } from '../../packages/server/src/storage/postgres/client-settings.ts';
import { pooledDb } from '../../packages/server/src/storage/postgres/postgres-dialect.ts';
import { sqliteDb } from '../../packages/server/src/storage/sqlite/sqlite-dialect.ts';
import type { Db } from '../../packages/server/src/storage/storage.ts';
import type { Place } from './ledger.ts';

/** Reads the database of a running house from beside it. */
function openBeside(place: Place): { db: Db; close(): Promise<void> } {
  if ('sqlite_path' in place) {
    const database = new Database(place.sqlite_path, { readonly: true });
    return {
      db: sqliteDb(database),
      async close() {
        database.close();
      },
    };
  }
  const pool = new Pool(clientSettings(place.database_url, 'stoa test'));
  return { db: pooledDb(pool), close: () => pool.end() };
}

/**
 * Holds the rows of a guestbook to one another while nobody writes: an entry has its row beside it, and
 * a registration its count. Answers the fingerprints of all agents.
 */
export async function checkBookRows(place: Place): Promise<Set<string>> {
  const { db, close } = openBeside(place);
  try {
    const logged: { position: number; body: string }[] = await db
      .selectFrom('log_entry')
      .select(['position', 'body'])
      .where('stream', '=', 'guestbook')
      .orderBy('position')
      .execute();
    const entries = await db
      .selectFrom('guestbook_entry')
      .select(['seq', 'agent', 'date'])
      .orderBy('seq')
      .execute();
    assert.deepEqual(
      entries,
      logged.map(({ position, body }) => {
        const { agent, date } = JSON.parse(body);
        return { seq: position, agent, date };
      }),
      'each entry has its row, each row its entry',
    );
    return await checkRegistrations(db);
  } finally {
    await close();
  }
}

async function checkRegistrations(db: Db): Promise<Set<string>> {
  const agents: { fingerprint: string; registered_at: number }[] = await db
    .selectFrom('guestbook_agent')
    .select(['fingerprint', 'registered_at'])
    .execute();
  const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  const by_date = Map.groupBy(agents, ({ registered_at }) => dateOf(registered_at));
  const counts = await db
    .selectFrom('guestbook_registration_count')
    .select((eb) => [
      'date',
      eb.cast<number>(eb.fn.sum('registrations'), 'integer').as('registrations'),
    ])
    .groupBy('date')
    .$castTo<{ date: string; registrations: number }>()
    .execute();
  // Counts of past days may be swept already.
  for (const { date, registrations } of counts) {
    assert.equal(registrations, by_date.get(date)?.length ?? 0, `${date}: registrations counted`);
  }
  return new Set(agents.map(({ fingerprint }) => fingerprint));
}
