import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Forum } from '../forum.ts';
import { closeReport, findReport } from '../reports/report-store.ts';
import { recordAudit } from './record-audit.ts';

/** Closes a report; one that is closed stays as it is. For the console and the API alike. */
export async function settleReport(
  forum: Forum,
  tx: Tx,
  { actor, id }: { actor: Account; id: number },
): Promise<void> {
  const report = await findReport(tx.db, id);
  if (!report) throw new RefusalError('not_found', { detail: `There is no report ${id}.` });
  if (report.status !== 'open') return;
  await closeReport(tx.db, { id, at: forum.nowSeconds(), by_id: actor.id });
  await recordAudit(forum, tx, {
    actor,
    action: 'report_resolved',
    target_kind: 'report',
    target_id: id,
  });
}
