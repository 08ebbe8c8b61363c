import type { Kysely } from 'kysely';
import type { ConsentTables } from '../tables.ts';

type Db = Kysely<ConsentTables>;

export type Block = ConsentTables['net_block'];

type Sides = Pick<Block, 'blocker' | 'blocked'>;

/** Adds a block, unless there is one. */
export async function insertBlock(db: Db, block: Block): Promise<void> {
  await db
    .insertInto('net_block')
    .values(block)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lifts a block; false if there was none. */
export async function deleteBlock(db: Db, { blocker, blocked }: Sides): Promise<boolean> {
  const lifted = await db
    .deleteFrom('net_block')
    .where('blocker', '=', blocker)
    .where('blocked', '=', blocked)
    .returning('since')
    .executeTakeFirst();
  return lifted !== undefined;
}

export async function isBlocking(db: Db, { blocker, blocked }: Sides): Promise<boolean> {
  const block = await db
    .selectFrom('net_block')
    .select('since')
    .where('blocker', '=', blocker)
    .where('blocked', '=', blocked)
    .executeTakeFirst();
  return block !== undefined;
}

/** At most `limit` accounts that one blocks, by account. */
export function listBlocksOf(
  db: Db,
  { account, limit }: { account: string; limit: number },
): Promise<{ account: string; since: number }[]> {
  return db
    .selectFrom('net_block')
    .select(['blocked as account', 'since'])
    .where('blocker', '=', account)
    .orderBy('blocked')
    .limit(limit)
    .execute();
}
