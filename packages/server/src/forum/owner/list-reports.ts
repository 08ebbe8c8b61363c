import type { CommandAnswer, forum_commands } from '@stoa/wire';
import type { Forum } from '../forum.ts';
import { console_page_max } from '../limits.ts';
import { oneLine } from '../pages/shown-post.ts';
import { listReportsBefore, type NamedReport } from '../reports/report-store.ts';
import { shownTable } from './shown-table.ts';

const reason_chars = 60;

const targetOf = ({ post_id, account_id }: NamedReport): string =>
  post_id === null ? `account ${account_id}` : `post ${post_id}`;

/** Reports for the operator, newest first, with the numbers by which other commands name them and their posts. */
export async function listReportsForOperator(
  forum: Forum,
  { before }: { before?: number },
): Promise<CommandAnswer<typeof forum_commands.reports>> {
  const rows = await listReportsBefore(forum.read, { before, limit: console_page_max });
  const reports = rows.map(({ id, status, post_id, account_id, reason }) => ({
    id,
    status,
    post_id,
    account_id,
    reason,
  }));
  const lines = rows.map((report) => [
    String(report.id),
    report.status,
    targetOf(report),
    oneLine(report.reason, reason_chars),
  ]);
  const said =
    lines.length === 0
      ? 'There are no such reports.'
      : shownTable([['report', 'status', 'about', 'reason'], ...lines]);
  return { said, reports };
}
