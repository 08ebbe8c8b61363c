import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import { findLiveAccount } from '../accounts/find-live-account.ts';
import { countAttempt } from '../attempts/count-attempt.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { reports_made } from '../limits.ts';
import { nextNumber } from '../number-store.ts';
import { findReadablePost } from '../posts/may-read.ts';
import { insertReport } from './report-store.ts';
import { accountSnapshot, postSnapshot, type Snapshot } from './snapshot.ts';

type Route = typeof forum_routes.makeReport;

/** What a report is about, as its maker sees it now: refuses what it cannot see. */
async function snapshotOf(
  forum: Forum,
  { db }: Tx,
  caller: Caller,
  target: { post_id: number | null; account_id: number | null },
): Promise<Snapshot> {
  const { post_id, account_id } = target;
  if (post_id !== null) {
    const post = await findReadablePost(db, post_id, caller.account);
    if (!post) throw new RefusalError('not_found');
    return postSnapshot(post);
  }
  return accountSnapshot(await findLiveAccount(forum, db, account_id ?? 0));
}

/** Files a report with a copy of what it is about; it changes nothing else (D-FORUM-38). */
export async function makeReport(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { post_id = null, account_id = null, reason } = call.body;
  if ((post_id === null) === (account_id === null)) {
    throw call.refuse('bad_request', {
      detail: 'post_id or account_id must be given, and not both',
      more: { field: post_id === null ? 'post_id' : 'account_id' },
    });
  }
  return caller.act(async (tx) => {
    const snapshot = await snapshotOf(forum, tx, caller, { post_id, account_id });
    await countAttempt(forum, tx, [{ limit: reports_made, key: String(caller.account.id) }]);
    const id = await nextNumber(tx.db, 'report');
    const created_at = forum.nowSeconds();
    await insertReport(tx.db, {
      id,
      reporter_id: caller.account.id,
      post_id,
      account_id,
      reason,
      status: 'open',
      created_at,
      resolved_at: null,
      resolved_by_id: null,
      snapshot: JSON.stringify(snapshot),
    });
    return { status: 201, body: { id, status: 'open', post_id, account_id, created_at } };
  });
}
