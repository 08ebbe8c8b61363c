import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Forum } from '../forum.ts';
import { reports_beside_listed_max } from '../limits.ts';
import { moderatedPost } from '../moderation/moderated-post.ts';
import { findStaffPost } from '../moderation/moderation-store.ts';
import type { NamedReport } from './report-store.ts';
import { shownSnapshot } from './snapshot.ts';

export type StaffReport = Static<typeof forum_schemas.StaffReport>;

/** A report as staff see it, with what it is about as that is now (D-FORUM-37). */
export async function reportView(forum: Forum, report: NamedReport): Promise<StaffReport> {
  const { post_id, account_id, account_status } = report;
  const post = post_id === null ? undefined : await findStaffPost(forum.read, post_id);
  const account =
    account_id === null || account_status === null
      ? null
      : { id: account_id, handle: report.account_handle, status: account_status };
  return {
    id: report.id,
    status: report.status,
    reason: report.reason,
    reporter_id: report.reporter_id,
    reporter: report.reporter,
    post_id,
    account_id,
    post: post
      ? await moderatedPost(forum, post, { reports_max: reports_beside_listed_max })
      : null,
    account,
    snapshot: shownSnapshot(forum, report),
    created_at: report.created_at,
    resolved_at: report.resolved_at,
    resolved_by: report.resolved_by,
  };
}
