import type { Kysely, Selectable } from 'kysely';
import type { AccountTables, ReportTables } from '../tables.ts';

type Db = Kysely<AccountTables & ReportTables>;
export type Report = Selectable<ReportTables['forum_report']>;

/** A report with the names of those whom it concerns. */
export type NamedReport = Report & {
  readonly reporter: string | null;
  readonly resolved_by: string | null;
  readonly account_handle: string | null;
  readonly account_status: 'active' | 'suspended' | 'deleted' | null;
};

export async function insertReport(db: Db, report: Report): Promise<void> {
  await db.insertInto('forum_report').values(report).execute();
}

const selectNamed = (db: Db) =>
  db
    .selectFrom('forum_report')
    .leftJoin('forum_account as reporter', 'reporter.id', 'forum_report.reporter_id')
    .leftJoin('forum_account as resolver', 'resolver.id', 'forum_report.resolved_by_id')
    .leftJoin('forum_account as reported', 'reported.id', 'forum_report.account_id')
    .selectAll('forum_report')
    .select([
      'reporter.handle as reporter',
      'resolver.handle as resolved_by',
      'reported.handle as account_handle',
      'reported.status as account_status',
    ]);

export function findReport(db: Db, id: number): Promise<NamedReport | undefined> {
  return selectNamed(db).where('forum_report.id', '=', id).executeTakeFirst();
}

/** Reports before one, the newest first. */
export function listReportsBefore(
  db: Db,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<NamedReport[]> {
  const newest = selectNamed(db).orderBy('forum_report.id', 'desc').limit(limit);
  const page = before === undefined ? newest : newest.where('forum_report.id', '<', before);
  return page.execute();
}

/** The newest reports about a post, the oldest of them first. */
export async function listReportsOf(db: Db, post_id: number, limit: number): Promise<Report[]> {
  const rows = await db
    .selectFrom('forum_report')
    .selectAll()
    .where('post_id', '=', post_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

export async function countOpenReports(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('forum_report')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function closeReport(
  db: Db,
  { id, at, by_id }: { id: number; at: number; by_id: number },
): Promise<void> {
  await db
    .updateTable('forum_report')
    .set({ status: 'resolved', resolved_at: at, resolved_by_id: by_id })
    .where('id', '=', id)
    .execute();
}

/** Erases the copies of reports that were resolved at `until` or before. */
export async function eraseSnapshots(db: Db, until: number): Promise<void> {
  await db
    .updateTable('forum_report')
    .set({ snapshot: null })
    .where('resolved_at', '<=', until)
    .where('snapshot', 'is not', null)
    .execute();
}
