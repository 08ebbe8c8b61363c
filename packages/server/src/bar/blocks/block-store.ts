import type { Kysely, Selectable } from 'kysely';
import type { BarTables, TrustState } from '../tables.ts';

type BarDb = Kysely<BarTables>;
type Block = Selectable<BarTables['bar_block']>;
type Pair = Pick<Block, 'blocker' | 'blocked'>;

export async function isBlocked(db: BarDb, { blocker, blocked }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('bar_block')
    .select('number')
    .where('blocker', '=', blocker)
    .where('blocked', '=', blocked)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertBlock(db: BarDb, block: Block): Promise<void> {
  await db.insertInto('bar_block').values(block).execute();
}

/** Lifts a block; false if there was none. */
export async function deleteBlock(db: BarDb, { blocker, blocked }: Pair): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('bar_block')
    .where('blocker', '=', blocker)
    .where('blocked', '=', blocked)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export type BlockedAgent = {
  agent_id: string;
  name: string;
  state: TrustState;
  blocked_at: number;
};

/** Whom an agent has blocked, the last one first. */
export async function listBlocked(db: BarDb, blocker: string): Promise<BlockedAgent[]> {
  return db
    .selectFrom('bar_block')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_block.blocked')
    .select(['bar_agent.agent_id', 'bar_agent.name', 'bar_agent.state', 'bar_block.blocked_at'])
    .where('bar_block.blocker', '=', blocker)
    .orderBy('bar_block.number', 'desc')
    .execute();
}
