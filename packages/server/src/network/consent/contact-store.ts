import type { Kysely } from 'kysely';
import type { ConsentTables } from '../tables.ts';

type Db = Kysely<ConsentTables>;

/** A pair of contacts, the smaller account first. */
export type Contact = ConsentTables['net_contact'];

type Pair = Pick<Contact, 'first_account' | 'second_account'>;

export async function insertContact(db: Db, contact: Contact): Promise<void> {
  await db
    .insertInto('net_contact')
    .values(contact)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ends a contact; false if there was none. */
export async function deleteContact(db: Db, pair: Pair): Promise<boolean> {
  const ended = await db
    .deleteFrom('net_contact')
    .where('first_account', '=', pair.first_account)
    .where('second_account', '=', pair.second_account)
    .returning('since')
    .executeTakeFirst();
  return ended !== undefined;
}

/** At most `limit` contacts of an account, each with the other account, by it. */
export async function listContactsOf(
  db: Db,
  { account, limit }: { account: string; limit: number },
): Promise<{ account: string; since: number }[]> {
  const sides = [
    ['first_account', 'second_account'],
    ['second_account', 'first_account'],
  ] as const;
  const found = await Promise.all(
    sides.map(([own, other]) =>
      db
        .selectFrom('net_contact')
        .select([`${other} as account`, 'since'])
        .where(own, '=', account)
        .orderBy(other)
        .limit(limit)
        .execute(),
    ),
  );
  return found
    .flat()
    .sort((a, b) => (a.account < b.account ? -1 : 1))
    .slice(0, limit);
}
