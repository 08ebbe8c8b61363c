import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

export type Thread = MessageTables['net_thread'];

const insertRow = prepared((db: Db, row: Thread) => {
  const { id, first_account, second_account, created_at, last_message_at, last_number } = row;
  const { message_count, first_unread, second_unread, first_unseen, second_unseen } = row;
  return db.insertInto('net_thread').values({
    id,
    first_account,
    second_account,
    created_at,
    last_message_at,
    last_number,
    message_count,
    first_unread,
    second_unread,
    first_unseen,
    second_unseen,
  });
});

export async function insertThread(db: Db, thread: Thread): Promise<void> {
  await insertRow(db, thread);
}

type Counts = 'first_unread' | 'second_unread' | 'first_unseen' | 'second_unseen';

/** What messages add to their thread. */
export type Growth = Pick<
  Thread,
  'id' | 'last_message_at' | 'last_number' | 'message_count' | Counts
>;

const growThread = prepared((db: Db, growth: Growth) => {
  const { id, last_message_at, last_number, message_count } = growth;
  const { first_unread, second_unread, first_unseen, second_unseen } = growth;
  return db
    .updateTable('net_thread')
    .set((row) => ({
      last_message_at,
      last_number,
      message_count: row('message_count', '+', message_count),
      first_unread: row('first_unread', '+', first_unread),
      second_unread: row('second_unread', '+', second_unread),
      first_unseen: row('first_unseen', '+', first_unseen),
      second_unseen: row('second_unseen', '+', second_unseen),
    }))
    .where('id', '=', id);
});

const sumOf = (one: Growth | undefined, more: Growth): Growth =>
  one === undefined
    ? more
    : {
        id: more.id,
        last_message_at: more.last_message_at,
        last_number: more.last_number,
        message_count: one.message_count + more.message_count,
        first_unread: one.first_unread + more.first_unread,
        second_unread: one.second_unread + more.second_unread,
        first_unseen: one.first_unseen + more.first_unseen,
        second_unseen: one.second_unseen + more.second_unseen,
      };

/** Adds to threads what the messages of a batch add to them. */
export async function growThreads(db: Db, growths: readonly Growth[]): Promise<void> {
  const sums = new Map<string, Growth>();
  for (const growth of growths) sums.set(growth.id, sumOf(sums.get(growth.id), growth));
  for (const sum of sums.values()) await growThread(db, sum);
}

const selectLastNumber = prepared((db: Db, { id }: { id: string }) =>
  db.selectFrom('net_thread').select('last_number').where('id', '=', id),
);

/** The number of the last message of a thread; 0 if there is none. */
export async function lastNumberOf(db: Db, id: string): Promise<number> {
  const [row] = await selectLastNumber(db, { id });
  return row?.last_number ?? 0;
}

/** A thread, if the account is of its pair. */
export function findThreadOf(
  db: Db,
  { id, account }: { id: string; account: string },
): Promise<Thread | undefined> {
  return db
    .selectFrom('net_thread')
    .selectAll()
    .where('id', '=', id)
    .where((or) => or.or([or('first_account', '=', account), or('second_account', '=', account)]))
    .executeTakeFirst();
}

/** At most `limit` threads of an account, the latest first, those before another. */
export async function listThreadsOf(
  db: Db,
  { account, before, limit }: { account: string; before: Thread | undefined; limit: number },
): Promise<Thread[]> {
  const sides = (['first_account', 'second_account'] as const).map((side) => {
    const all = db.selectFrom('net_thread').selectAll().where(side, '=', account);
    const asked = before
      ? all.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('last_message_at', 'id'), '<', tuple(before.last_message_at, before.id)),
        )
      : all;
    return asked.orderBy('last_message_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  });
  const [as_first = [], as_second = []] = await Promise.all(sides);
  return [...as_first, ...as_second]
    .sort((a, b) => b.last_message_at - a.last_message_at || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

/** Notes that one side of a thread has read one message more. */
export async function countRead(
  db: Db,
  { id, side }: { id: string; side: 'first_unread' | 'second_unread' },
): Promise<void> {
  await db
    .updateTable('net_thread')
    .set((row) => ({ [side]: row(side, '-', 1) }))
    .where('id', '=', id)
    .execute();
}

/** The id of the thread of a pair, if it has one. */
export async function findThreadOfPair(
  db: Db,
  { first_account, second_account }: Pick<Thread, 'first_account' | 'second_account'>,
): Promise<string | undefined> {
  const thread = await db
    .selectFrom('net_thread')
    .select('id')
    .where('first_account', '=', first_account)
    .where('second_account', '=', second_account)
    .executeTakeFirst();
  return thread?.id;
}
