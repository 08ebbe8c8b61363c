import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Forum } from '../forum.ts';
import { staff_page_max } from '../limits.ts';
import { listReportsBefore } from '../reports/report-store.ts';
import { reportView, type StaffReport } from '../reports/report-view.ts';

type Route = typeof forum_routes.listReports;

/** Reports, newest first, each with what it is about. */
export async function listReports(forum: Forum, call: Call<Route>): Promise<Answer<Route>> {
  const { before, limit = staff_page_max } = call.query;
  const reports = await listReportsBefore(forum.read, { before, limit: limit + 1 });
  const items: StaffReport[] = [];
  for (const report of reports.slice(0, limit)) items.push(await reportView(forum, report));
  const next_before = reports.length > limit ? (items.at(-1)?.id ?? null) : null;
  return { status: 200, body: { items, next_before } };
}
