import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import { preparedInsert } from '../../storage/prepared-insert.ts';
import type { MessageTables } from '../tables.ts';

type Db = Kysely<MessageTables>;

export type Thread = MessageTables['net_thread'];

const columns = [
  'id',
  'first_account',
  'second_account',
  'created_at',
  'last_message_at',
  'last_number',
  'message_count',
  'first_unread',
  'second_unread',
  'first_unseen',
  'second_unseen',
] as const;

const insertRow = preparedInsert<Thread, Db>('net_thread', columns);

/** Stores a new thread. */
export async function insertThread(db: Db, thread: Thread): Promise<void> {
  await insertRow(db, [thread]);
}

const putRows = preparedInsert<Thread, Db>('net_thread', columns, {
  key: ['id'],
  fixed: ['first_account', 'second_account', 'created_at'],
});

/** Writes what a batch has made of threads that are there: of each what it became last. */
export async function putThreads(db: Db, threads: readonly Thread[]): Promise<void> {
  const latest = new Map(threads.map((thread) => [thread.id, thread]));
  await putRows(db, [...latest.values()]);
}

const selectThread = prepared((db: Db, { id }: { id: string }) =>
  db.selectFrom('net_thread').selectAll().where('id', '=', id),
);

export async function findThread(db: Db, id: string): Promise<Thread | undefined> {
  const [thread] = await selectThread(db, { id });
  return thread;
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
