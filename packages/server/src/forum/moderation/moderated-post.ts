import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Forum } from '../forum.ts';
import { beside_post_max, staff_page_max } from '../limits.ts';
import { listReportsOf } from '../reports/report-store.ts';
import { shownSnapshot } from '../reports/snapshot.ts';
import { readAuditOf } from './audit-view.ts';
import { listStaffReplies, type StaffPost } from './moderation-store.ts';

export type ModeratedPost = Static<typeof forum_schemas.ModeratedPost>;

/** A post as staff see it; one that was removed without its words and names. */
function staffView(post: StaffPost): Static<typeof forum_schemas.ModeratedReply> {
  const is_removed = post.status === 'removed';
  return {
    id: post.id,
    thread_id: post.thread_id,
    parent_id: post.parent_id,
    kind: post.kind,
    title: is_removed ? null : post.title,
    body: is_removed ? null : post.body,
    audience: post.audience,
    status: post.status === 'removed' ? 'deleted' : post.status,
    origin: post.origin,
    author: is_removed ? null : post.author,
    author_id: post.author_id,
    author_display_name: is_removed || post.author === null ? null : post.author_display_name,
    created_at: post.created_at,
    edited_at: post.edited_at,
    reply_count: post.reply_count,
    last_reply_at: post.last_reply_at,
  };
}

/** A post with what staff know of it besides (D-FORUM-39); without replies where `after` is not given. */
export async function moderatedPost(
  forum: Forum,
  post: StaffPost,
  { after, reports_max = beside_post_max }: { after?: number; reports_max?: number } = {},
): Promise<ModeratedPost> {
  const reports = await listReportsOf(forum.read, post.id, reports_max);
  const with_replies = after !== undefined && post.parent_id === null;
  const replies = with_replies
    ? await listStaffReplies(forum.read, {
        thread_id: post.id,
        after,
        limit: staff_page_max + 1,
      })
    : [];
  const shown = replies.slice(0, staff_page_max);
  return {
    ...staffView(post),
    hidden_reason: post.hidden_reason,
    deleted_at: post.removed_at,
    deleted_by: post.removed_by,
    author_audit_id: post.author_audit_id,
    reports: reports.map((report) => ({
      id: report.id,
      status: report.status,
      reason: report.reason,
      snapshot: shownSnapshot(forum, report),
    })),
    audit: await readAuditOf(forum, 'post', post.id),
    replies: shown.map(staffView),
    next_after: replies.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
  };
}
