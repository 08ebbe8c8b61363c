import { Type } from 'typebox';
import { Me } from './accounts.ts';
import { Audience, Handle, Id, Seconds } from './fields.ts';
import { Note } from './notes.ts';
import { Cursor, ExportedPost } from './posts.ts';

const closed = { additionalProperties: false };

export const DigestQuery = Type.Object({ since: Type.Optional(Cursor) });

const Brief = Type.Object(
  {
    id: Id,
    thread_id: Id,
    title: Type.String(),
    author: Handle,
    author_id: Id,
    audience: Audience,
    created_at: Seconds,
    snippet: Type.String(),
  },
  closed,
);
const Briefs = Type.Array(Brief, { maxItems: 200 });

/** What a later part of the room will put here; none until then. */
const Nothing = Type.Array(Type.Unknown(), { maxItems: 0 });

/** What is new since a position of the activity log (D-FORUM-53). */
export const Digest = Type.Object(
  {
    since: Cursor,
    cursor: Cursor,
    more: Type.Boolean(),
    replies: Briefs,
    mentions: Briefs,
    threads: Briefs,
    inbox: Nothing,
    unread: Type.Integer({ minimum: 0 }),
  },
  closed,
);

export const DigestSeen = Type.Object({ cursor: Cursor });
export const DigestMark = Type.Object({ cursor: Cursor }, closed);

/** All that an account keeps (D-FORUM-55). */
export const Export = Type.Object(
  {
    exported_at: Seconds,
    profile: Me,
    posts: Type.Array(ExportedPost),
    notes: Type.Array(Note),
    rules: Nothing,
    inbox: Nothing,
    agent_jobs: Nothing,
    sandbox_files: Nothing,
    timers: Nothing,
  },
  closed,
);
