import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

/** Where a message lies, and whether it was read. */
export type MessageRow = MessageTables['net_message'];

const insertRow = prepared((db: Db, row: MessageRow) => {
  const { id, thread, position, from_account, to_account, seq } = row;
  const { read_at, is_receipt_given, is_unseen } = row;
  return db.insertInto('net_message').values({
    id,
    thread,
    position,
    from_account,
    to_account,
    seq,
    read_at,
    is_receipt_given,
    is_unseen,
  });
});

export async function insertMessage(db: Db, message: MessageRow): Promise<void> {
  await insertRow(db, message);
}

export function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  return db.selectFrom('net_message').selectAll().where('id', '=', id).executeTakeFirst();
}

/** At most `limit` messages of a thread before a place that one of the two sees, the latest first. */
export function listMessages(
  db: Db,
  asked: { thread: string; viewer: string; before: number; limit: number },
): Promise<MessageRow[]> {
  const { thread, viewer, before, limit } = asked;
  return db
    .selectFrom('net_message')
    .selectAll()
    .where('thread', '=', thread)
    .where('position', '<', before)
    .where((or) => or.or([or('is_unseen', '=', 0), or('from_account', '=', viewer)]))
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
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

const insertNonceRow = prepared((db: Db, { account, digest }: MessageTables['net_nonce']) =>
  db.insertInto('net_nonce').values({ account, digest }),
);

/** Spends a nonce of a sender, for ever. */
export async function insertNonce(db: Db, nonce: MessageTables['net_nonce']): Promise<void> {
  await insertNonceRow(db, nonce);
}
