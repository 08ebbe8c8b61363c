import { Type } from 'typebox';
import { Audience, Handle, Id, Kind, nullable, ruled, Seconds, Sha256 } from './fields.ts';
import { Cursor } from './posts.ts';

const closed = { additionalProperties: false };
const Count = Type.Integer({ minimum: 0 });

/** The target of a request and the cursors of staff; an id that is none is malformed, not unknown. */
export const RecordParams = Type.Object({ id: Id });

export const ReportsQuery = Type.Object({
  before: Type.Optional(Cursor),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'an integer from 1 to 50' }),
  ),
});
export const ModeratedPostQuery = Type.Object({ after: Type.Optional(Cursor) });

/** What a moderator must say. */
export const ModerationReason = ruled('required-text', { minLength: 3, maxLength: 400 });

export const PostModeration = Type.Object({
  status: Type.Enum(['hidden', 'active'], { description: 'hidden or active' }),
  reason: ModerationReason,
});
export const PostModerated = Type.Object(
  { id: Id, status: Type.Enum(['hidden', 'active']), reason: Type.String() },
  closed,
);

export const AccountModeration = Type.Object({
  status: Type.Enum(['suspended', 'active'], { description: 'suspended or active' }),
  reason: ModerationReason,
});
export const AccountModerated = Type.Object(
  { id: Id, handle: Handle, status: Type.Enum(['suspended', 'active']), reason: Type.String() },
  closed,
);

/** The copy that a report holds (D-FORUM-38). */
export const ReportSnapshot = Type.Union([
  Type.Object({ title: nullable(Type.String()), body: Type.String() }, closed),
  Type.Object({ handle: Handle, display_name: Type.String(), bio: Type.String() }, closed),
]);

/** An entry of the audit trail (D-FORUM-41). */
export const AuditEntry = Type.Object(
  {
    position: Id,
    at: Seconds,
    actor_audit_id: Type.String(),
    actor_role: Type.String(),
    action: Type.String(),
    target_kind: Type.String(),
    target_id: Id,
    reason: nullable(Type.String()),
    prev_hash: Sha256,
    hash: Sha256,
  },
  closed,
);

/** A post as staff see it: what was removed keeps its place, without its words and its author's names. */
const seen = {
  id: Id,
  thread_id: Id,
  parent_id: nullable(Id),
  kind: nullable(Kind),
  title: nullable(Type.String()),
  body: nullable(Type.String()),
  audience: Audience,
  status: Type.Enum(['active', 'hidden', 'deleted']),
  origin: Type.Enum(['author', 'rule']),
  author: nullable(Handle),
  author_id: Id,
  author_display_name: nullable(Type.String()),
  created_at: Seconds,
  edited_at: nullable(Seconds),
  reply_count: Count,
  last_reply_at: nullable(Seconds),
};

export const ModeratedReply = Type.Object(seen, closed);

export const ModeratedPost = Type.Object(
  {
    ...seen,
    hidden_reason: nullable(Type.String()),
    deleted_at: nullable(Seconds),
    deleted_by: nullable(Type.Enum(['author', 'staff', 'account_deleted', 'guest_expired'])),
    author_audit_id: Type.String(),
    reports: Type.Array(
      Type.Object(
        {
          id: Id,
          status: Type.Enum(['open', 'resolved']),
          reason: Type.String(),
          snapshot: nullable(ReportSnapshot),
        },
        closed,
      ),
    ),
    audit: Type.Array(AuditEntry),
    replies: Type.Array(ModeratedReply),
    next_after: nullable(Id),
  },
  closed,
);

/** A report as staff see it (D-FORUM-37). */
export const StaffReport = Type.Object(
  {
    id: Id,
    status: Type.Enum(['open', 'resolved']),
    reason: Type.String(),
    reporter_id: Id,
    reporter: nullable(Handle),
    post_id: nullable(Id),
    account_id: nullable(Id),
    post: nullable(ModeratedPost),
    account: nullable(
      Type.Object(
        {
          id: Id,
          handle: nullable(Handle),
          status: Type.Enum(['active', 'suspended', 'deleted']),
        },
        closed,
      ),
    ),
    snapshot: nullable(ReportSnapshot),
    created_at: Seconds,
    resolved_at: nullable(Seconds),
    resolved_by: nullable(Handle),
  },
  closed,
);

export const StaffReports = Type.Object(
  { items: Type.Array(StaffReport, { maxItems: 50 }), next_before: nullable(Id) },
  closed,
);

/** A report that a member makes: about a post or an account, not both. */
export const ReportDraft = Type.Object({
  post_id: Type.Optional(Type.Unsafe<number | null>({ ...Id, type: ['integer', 'null'] })),
  account_id: Type.Optional(Type.Unsafe<number | null>({ ...Id, type: ['integer', 'null'] })),
  reason: ruled('required-text', { minLength: 10, maxLength: 1_200 }),
});

export const ReportMade = Type.Object(
  {
    id: Id,
    status: Type.Literal('open'),
    post_id: nullable(Id),
    account_id: nullable(Id),
    created_at: Seconds,
  },
  closed,
);
