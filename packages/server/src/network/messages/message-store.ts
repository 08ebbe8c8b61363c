import { type Kysely, sql } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

export type MessageRow = MessageTables['net_message'];

/** Writes the messages of a batch. */
export const insertMessages = preparedInsert<MessageRow, Db>('net_message', [
  'number',
  'id',
  'kind',
  'thread',
  'previous',
  'from_account',
  'to_account',
  'seq',
  'previous_queued',
  'said',
  'via',
  'sent_at',
  'delivered_at',
  'read_at',
  'is_receipt_given',
]);

export function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  return db.selectFrom('net_message').selectAll().where('id', '=', id).executeTakeFirst();
}

const selectLast = prepared((db: Db, _: object) =>
  db.selectFrom('net_message').select((of) => of.fn.max('number').as('last')),
);

/** The number of the last message of all; 0 if there is none. */
export async function lastMessageNumber(db: Db): Promise<number> {
  const [row] = await selectLast(db, {});
  return Number(row?.last ?? 0);
}

/**
 * At most `limit` messages of a thread that one of the two sees, from the one with the number `from` backwards:
 * each names the one before it.
 */
export async function listMessages(
  db: Db,
  { from, viewer, limit }: { from: number; viewer: string; limit: number },
): Promise<MessageRow[]> {
  const isSeen = sql`case when m.seq is not null or m.from_account = ${viewer} then 1 else 0 end`;
  const { rows } = await sql<MessageRow>`
    with recursive chain as (
      select m.*, ${isSeen} as seen from net_message m where m.number = ${from}
      union all
      select m.*, chain.seen + ${isSeen} from chain
      join net_message m on m.number = chain.previous where chain.seen < ${limit}
    )
    select m.* from chain m where ${isSeen} = 1 order by number desc limit ${limit}`.execute(db);
  return rows;
}

/** Notes when a message was read, and whether its sender may know. */
export async function markRow(
  db: Db,
  { id, read_at, is_receipt_given }: Pick<MessageRow, 'id' | 'read_at' | 'is_receipt_given'>,
): Promise<void> {
  await db
    .updateTable('net_message')
    .set({ read_at, is_receipt_given })
    .where('id', '=', id)
    .execute();
}
