import type { Kysely, Selectable } from 'kysely';
import { prepared } from '../../storage/prepared.ts';
import type { BarTables, TrustState } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Membership = Selectable<BarTables['bar_member']>;

const selectMember = prepared(
  (db: BarDb, { slug, agent_id }: Pick<Membership, 'slug' | 'agent_id'>) =>
    db
      .selectFrom('bar_member')
      .selectAll()
      .where('slug', '=', slug)
      .where('agent_id', '=', agent_id),
);

export async function findMember(
  db: BarDb,
  slug: string,
  agent_id: string,
): Promise<Membership | undefined> {
  const [member] = await selectMember(db, { slug, agent_id });
  return member;
}

export type Member = {
  agent_id: string;
  name: string;
  state: TrustState;
  role: 'owner' | 'member';
  joined_at: number;
};

/** A room's members as they are now, those first that have been in longest (D-BAR-36). */
export async function listMembers(db: BarDb, slug: string): Promise<Member[]> {
  return db
    .selectFrom('bar_member')
    .innerJoin('bar_agent', 'bar_agent.agent_id', 'bar_member.agent_id')
    .select([
      'bar_member.agent_id',
      'bar_agent.name',
      'bar_agent.state',
      'bar_member.role',
      'bar_member.joined_at',
    ])
    .where('bar_member.slug', '=', slug)
    .orderBy('bar_member.joined_at')
    .orderBy('bar_member.number')
    .execute();
}

/** The slugs of the rooms that an agent is a member of. */
export async function listSlugsOf(db: BarDb, agent_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('bar_member')
    .select('slug')
    .where('agent_id', '=', agent_id)
    .execute();
  return rows.map(({ slug }) => slug);
}

export async function insertMember(db: BarDb, member: Membership): Promise<void> {
  await db.insertInto('bar_member').values(member).execute();
}

/** Ends a membership; answers its role, undefined if there was none. */
export async function deleteMember(
  db: BarDb,
  slug: string,
  agent_id: string,
): Promise<Membership['role'] | undefined> {
  const row = await db
    .deleteFrom('bar_member')
    .where('slug', '=', slug)
    .where('agent_id', '=', agent_id)
    .returning('role')
    .executeTakeFirst();
  return row?.role;
}

/** Makes that member the owner that has been in longest, if there is one. */
export async function promoteSenior(db: BarDb, slug: string): Promise<void> {
  await db
    .updateTable('bar_member')
    .set({ role: 'owner' })
    .where('slug', '=', slug)
    .where('agent_id', '=', (of) =>
      of
        .selectFrom('bar_member as senior')
        .select('senior.agent_id')
        .where('senior.slug', '=', slug)
        .orderBy('senior.joined_at')
        .orderBy('senior.number')
        .limit(1),
    )
    .execute();
}
