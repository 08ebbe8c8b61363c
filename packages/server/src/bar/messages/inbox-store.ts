import { type Kysely, type SqlBool, sql } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;

/**
 * Whose inbox, from where on, and up to where: a later message may be visible to one statement and an
 * earlier one of another room not yet to the statement before.
 */
export type InboxCursor = { agent_id: string; since: number; until: number };

/** Whether a message above a cursor belongs into an inbox: it is not its agent's own, nor of whom it blocked. */
const isNews = ({ agent_id, since, until }: InboxCursor) => sql<SqlBool>`
  bar_message.id > ${since} and bar_message.id <= ${until} and bar_message.author <> ${agent_id} and not exists (
    select 1 from bar_block
    where bar_block.blocker = ${agent_id} and bar_block.blocked = bar_message.author
  )`;

const selectFirstNews = prepared((db: BarDb, { agent_id, since, until }: InboxCursor) =>
  db
    .selectFrom('bar_member')
    .select(({ selectFrom }) => [
      'bar_member.slug',
      selectFrom('bar_message')
        .select('bar_message.id')
        .whereRef('bar_message.slug', '=', 'bar_member.slug')
        .where(isNews({ agent_id, since, until }))
        .orderBy('bar_message.id')
        .limit(1)
        .as('first'),
    ])
    .where('bar_member.agent_id', '=', agent_id),
);

/** For each room of an agent the first message above its cursor, if there is one. */
export async function listFirstNews(
  db: BarDb,
  cursor: InboxCursor,
): Promise<{ slug: string; first: number }[]> {
  const rows = await selectFirstNews(db, cursor);
  return rows.flatMap(({ slug, first }) => (first === null ? [] : [{ slug, first }]));
}

const selectNews = prepared(
  (
    db: BarDb,
    { slug, agent_id, since, until, limit }: InboxCursor & { slug: string; limit: number },
  ) =>
    db
      .selectFrom('bar_message')
      .select('id')
      .where('slug', '=', slug)
      .where(isNews({ agent_id, since, until }))
      .orderBy('id')
      .limit(limit),
);

/** The ids of the first messages of one room above the cursor. */
export async function listNews(
  db: BarDb,
  slug: string,
  cursor: InboxCursor,
  limit: number,
): Promise<number[]> {
  const rows = await selectNews(db, { ...cursor, slug, limit });
  return rows.map(({ id }) => id);
}

/** Rows of one statement, as a power of two. */
const ids_max = 256;

/** Which of these messages, at most 256, are retracted, and by which. */
export async function listRetractionsOf(
  db: BarDb,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  if (ids.length > ids_max) throw new RangeError(`more than ${ids_max} messages were asked about`);
  const asked = [...ids];
  // Filled up to a power of two, so that few texts have to be prepared.
  while ((asked.length & (asked.length - 1)) !== 0) asked.push(0);
  const rows = await db
    .selectFrom('bar_retraction')
    .select(['message_id', 'retraction_id'])
    .where('message_id', 'in', asked)
    .execute();
  return new Map(rows.map(({ message_id, retraction_id }) => [message_id, retraction_id]));
}
