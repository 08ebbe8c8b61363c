import type { Kysely, Selectable } from 'kysely';
import type { GuestbookTables } from './tables.ts';

type GuestbookDb = Kysely<GuestbookTables>;
export type Agent = Selectable<GuestbookTables['guestbook_agent']>;

export async function findAgent(db: GuestbookDb, fingerprint: string): Promise<Agent | undefined> {
  return db
    .selectFrom('guestbook_agent')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
}

export async function insertAgent(db: GuestbookDb, agent: Agent): Promise<void> {
  await db.insertInto('guestbook_agent').values(agent).execute();
}

export async function countAgents(db: GuestbookDb): Promise<number> {
  const { count } = await db
    .selectFrom('guestbook_agent')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Registrations from an address on `date`. */
export async function countRegistrations(
  db: GuestbookDb,
  date: string,
  address_digest: Buffer,
): Promise<number> {
  const row = await db
    .selectFrom('guestbook_registration_count')
    .select('registrations')
    .where('date', '=', date)
    .where('address_digest', '=', address_digest)
    .executeTakeFirst();
  return row?.registrations ?? 0;
}

export async function addRegistration(
  db: GuestbookDb,
  date: string,
  address_digest: Buffer,
): Promise<void> {
  await db
    .insertInto('guestbook_registration_count')
    .values({ date, address_digest, registrations: 1 })
    .onConflict((conflict) =>
      conflict.columns(['date', 'address_digest']).doUpdateSet((row) => ({
        registrations: row('guestbook_registration_count.registrations', '+', 1),
      })),
    )
    .execute();
}

/** Deletes at most `rows_max` counts of days before `date`; answers how many. */
export async function deleteRegistrationCounts(
  db: GuestbookDb,
  date: string,
  rows_max: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('guestbook_registration_count')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('date', 'address_digest'),
        'in',
        selectFrom('guestbook_registration_count')
          .select(['date', 'address_digest'])
          .where('date', '<', date)
          .limit(rows_max)
          .$asTuple('date', 'address_digest'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function hasPosted(db: GuestbookDb, agent: string, date: string): Promise<boolean> {
  const row = await db
    .selectFrom('guestbook_entry')
    .select('seq')
    .where('agent', '=', agent)
    .where('date', '=', date)
    .executeTakeFirst();
  return row !== undefined;
}

/** Entries dated `date`, hidden ones included. */
export async function countEntries(db: GuestbookDb, date: string): Promise<number> {
  const { count } = await db
    .selectFrom('guestbook_entry')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('date', '=', date)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertEntry(
  db: GuestbookDb,
  entry: { seq: number; agent: string; date: string },
): Promise<void> {
  await db
    .insertInto('guestbook_entry')
    .values({ ...entry, is_hidden: 0 })
    .execute();
}

/** The hidden ones among the entries from `first` to `last`. */
export async function listHidden(
  db: GuestbookDb,
  first: number,
  last: number,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('guestbook_entry')
    .select('seq')
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .where('is_hidden', '=', 1)
    .execute();
  return new Set(rows.map(({ seq }) => seq));
}

/** Hides or shows an entry; false if there is none with this seq. */
export async function setHidden(db: GuestbookDb, seq: number, is_hidden: 0 | 1): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('guestbook_entry')
    .set({ is_hidden })
    .where('seq', '=', seq)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isSuspended(db: GuestbookDb): Promise<boolean> {
  const row = await db.selectFrom('guestbook_suspension').select('id').executeTakeFirst();
  return row !== undefined;
}

export async function insertSuspension(db: GuestbookDb, suspended_at: number): Promise<void> {
  await db
    .insertInto('guestbook_suspension')
    .values({ id: 1, suspended_at })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function deleteSuspension(db: GuestbookDb): Promise<void> {
  await db.deleteFrom('guestbook_suspension').execute();
}
