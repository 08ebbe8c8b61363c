import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { ConsentTables, MessageTables } from '../tables.ts';

/** When those of these messages that their recipient has read were read. */
export async function listReadAt(
  db: Kysely<MessageTables>,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('net_message')
    .select(['id', 'read_at'])
    .where('id', 'in', ids)
    .where('read_at', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, read_at }) => [id, Number(read_at)]));
}

type ConsentDb = Kysely<ConsentTables>;

const shown = { status: 'pending', is_hidden: 0 } as const;

const selectLastNumber = prepared((db: ConsentDb, { account }: { account: string }) =>
  db
    .selectFrom('net_request')
    .select((of) => of.fn.max('number').as('last'))
    .where('to_account', '=', account),
);

/** The number of the last request that an account has got. */
export async function lastRequestNumber(db: ConsentDb, account: string): Promise<number> {
  const [row] = await selectLastNumber(db, { account });
  return Number(row?.last ?? 0);
}

type RequestsPage = { account: string; after: number; limit: number };

const selectRequestsAfter = prepared((db: ConsentDb, { account, after, limit }: RequestsPage) =>
  db
    .selectFrom('net_request')
    .select(['id', 'number', 'from_account'])
    .where('to_account', '=', account)
    .where('status', '=', shown.status)
    .where('is_hidden', '=', shown.is_hidden)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit),
);

/** The requests after a number that wait for an account's answer. */
export const listRequestsAfter = (db: ConsentDb, page: RequestsPage) =>
  selectRequestsAfter(db, page);
