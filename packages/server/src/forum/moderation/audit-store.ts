import type { Kysely } from 'kysely';
import type { AuditTables, AuditTarget } from '../tables.ts';

type Db = Kysely<AuditTables>;

/** Notes which entry of the trail is about a target. */
export async function insertAuditTarget(
  db: Db,
  row: AuditTables['forum_audit_target'],
): Promise<void> {
  await db.insertInto('forum_audit_target').values(row).execute();
}

/** Positions of the newest `limit` entries about a target, in order. */
export async function listAuditPositions(
  db: Db,
  target: { kind: AuditTarget; id: number },
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('forum_audit_target')
    .select('position')
    .where('target_kind', '=', target.kind)
    .where('target_id', '=', target.id)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ position }) => position).reverse();
}
