import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { closeReport, findReport } from '../reports/report-store.ts';
import { reportView } from '../reports/report-view.ts';
import { actingStaff } from './acting-staff.ts';
import { recordAudit } from './record-audit.ts';

type Route = typeof forum_routes.resolveReport;

/** Closes a report; one that is closed stays as it is. */
export async function resolveReport(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  const found = await findReport(forum.read, id);
  if (!found) throw call.refuse('not_found');
  const view = await reportView(forum, found);
  return caller.act(async (tx) => {
    const actor = await actingStaff(tx, caller);
    const report = await findReport(tx.db, id);
    if (!report) throw call.refuse('not_found');
    const resolved_at = report.resolved_at ?? forum.nowSeconds();
    if (report.status === 'open') {
      await closeReport(tx.db, { id, at: resolved_at, by_id: actor.id });
      await recordAudit(forum, tx, {
        actor,
        action: 'report_resolved',
        target_kind: 'report',
        target_id: id,
      });
    }
    const resolved_by = report.status === 'open' ? actor.handle : report.resolved_by;
    const post = view.post && {
      ...view.post,
      reports: view.post.reports.map((one) =>
        one.id === id ? { ...one, status: 'resolved' as const } : one,
      ),
    };
    const body = { ...view, post, status: 'resolved' as const, resolved_at, resolved_by };
    return { status: 200, body };
  });
}
