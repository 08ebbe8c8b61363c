import type { Kysely, Selectable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Session = Selectable<BarTables['bar_session']>;

export async function findSession(db: BarDb, token_digest: Buffer): Promise<Session | undefined> {
  return db
    .selectFrom('bar_session')
    .selectAll()
    .where('token_digest', '=', token_digest)
    .executeTakeFirst();
}
