import { PostgresAdapter } from 'kysely';
import type { Db, Engine } from './storage.ts';

/** The engine that a query builder speaks to, for the few statements that are not the same on both. */
export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}
