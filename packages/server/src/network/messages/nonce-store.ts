import { type Kysely, sql } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

export type Nonce = MessageTables['net_nonce'];

const insertNonce = prepared((db: Db, { account, digest }: Nonce) =>
  db
    .insertInto('net_nonce')
    .values({ account, digest })
    .onConflict((conflict) => conflict.doNothing())
    .returning(sql<number>`1`.as('one')),
);

/** Adds a nonce; false if it is there already. */
export async function addNonce(db: Db, nonce: Nonce): Promise<boolean> {
  return (await insertNonce(db, nonce)).length > 0;
}

const selectNonce = prepared((db: Db, { account, digest }: Nonce) =>
  db
    .selectFrom('net_nonce')
    .select('account')
    .where('account', '=', account)
    .where('digest', '=', digest),
);

/** Whether a nonce is among those that are in their order. */
export async function hasNonce(db: Db, nonce: Nonce): Promise<boolean> {
  return (await selectNonce(db, nonce)).length > 0;
}

/** Writes nonces down in the order in which they came. */
export const insertNewNonces = preparedInsert<Nonce, Db>('net_nonce_new', ['account', 'digest']);

/** Puts all new nonces where they belong; none of them may be there already. */
export async function sortNewNonces(db: Db): Promise<void> {
  await db
    .insertInto('net_nonce')
    .columns(['account', 'digest'])
    .expression((from) =>
      from
        .selectFrom('net_nonce_new')
        .select(['account', 'digest'])
        .orderBy('account')
        .orderBy('digest'),
    )
    .execute();
  await db.deleteFrom('net_nonce_new').execute();
}
