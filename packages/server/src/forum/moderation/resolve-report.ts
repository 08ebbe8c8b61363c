import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Member } from '../accounts/account-store.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { findReport } from '../reports/report-store.ts';
import { reportView, type StaffReport } from '../reports/report-view.ts';
import { actingStaff, refuseUnlessStaff } from './acting-staff.ts';
import { settleReport } from './settle-report.ts';

type Route = typeof forum_routes.resolveReport;

/** What an Idempotency-Key keeps: not the report itself, whose copy of a post must not outlive its time (D-FORUM-38). */
type Kept = { readonly id: number };

async function readReport(forum: Forum, { id }: Kept): Promise<StaffReport> {
  const report = await findReport(forum.read, id);
  if (!report) throw new RefusalError('not_found');
  return reportView(forum, report);
}

/** Answers again a report that was closed, as it is now, to who is still staff. */
export async function retellReport(
  forum: Forum,
  kept: unknown,
  account: Member,
): Promise<StaffReport> {
  refuseUnlessStaff({ account });
  // @NOTE This is what the use case below has kept.
  return readReport(forum, kept as Kept);
}

/** Closes a report, for staff. */
export async function resolveReport(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  const done = await caller.act(async (tx) => {
    const actor = await actingStaff(tx, caller);
    await settleReport(forum, tx, { actor, id });
    return { status: 200 as const, body: { id } };
  });
  return { ...done, body: await readReport(forum, { id }) };
}
