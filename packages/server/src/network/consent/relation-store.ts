import type { Kysely } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { ConsentTables, MessageTables } from '../tables.ts';

type Db = Kysely<ConsentTables & MessageTables>;

/** What one account is to another, as far as it matters for a message. */
export type Relation = {
  contact_since: number | null;
  /** Since when the sender blocks the recipient, and the recipient the sender. */
  blocks_since: number | null;
  blocked_since: number | null;
  pending_request: string | null;
  ask_again_at: number | null;
  thread: string | null;
};

type Asked = {
  from: string;
  to: string;
  first_account: string;
  second_account: string;
};

const selectRelation = prepared<Asked, Relation, Db>(
  (db, { from, to, first_account, second_account }) => {
    const block = (blocker: string, blocked: string) =>
      db
        .selectFrom('net_block')
        .select('since')
        .where('blocker', '=', blocker)
        .where('blocked', '=', blocked);
    const requests = db
      .selectFrom('net_request')
      .where('from_account', '=', from)
      .where('to_account', '=', to);
    return db.selectNoFrom([
      db
        .selectFrom('net_contact')
        .select('since')
        .where('first_account', '=', first_account)
        .where('second_account', '=', second_account)
        .as('contact_since'),
      block(from, to).as('blocks_since'),
      block(to, from).as('blocked_since'),
      requests.select('id').where('status', '=', 'pending').limit(1).as('pending_request'),
      requests.select((of) => of.fn.max('ask_again_at').as('at')).as('ask_again_at'),
      db
        .selectFrom('net_thread')
        .select('id')
        .where('first_account', '=', first_account)
        .where('second_account', '=', second_account)
        .as('thread'),
    ]);
  },
);

/** What the recipient of a message is to its sender. */
export async function findRelation(db: Db, asked: Asked): Promise<Relation> {
  const [relation] = await selectRelation(db, asked);
  if (!relation) throw new Error('a relation has no row');
  return relation;
}
