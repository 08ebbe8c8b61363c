import { Type } from 'typebox';
import {
  Audience,
  audiences,
  Handle,
  Id,
  Kind,
  kinds,
  nullable,
  orNull,
  Query,
  ruled,
  Seconds,
} from './fields.ts';

const closed = { additionalProperties: false };
const Count = Type.Integer({ minimum: 0 });

/** An exclusive cursor: an id, or 0 for before all of them. */
export const Cursor = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an integer that is not negative',
});

export const audience_words = { description: audiences.join(' or ') };
const kind_words = { description: kinds.join(' or ') };
const AudienceField = Type.Enum([...audiences], audience_words);
const KindField = Type.Enum([...kinds], kind_words);

export const PostTitle = ruled('required-line', { minLength: 1, maxLength: 180 });
export const PostBody = ruled('required-text', { minLength: 1, maxLength: 12_000 });

export const PostParams = Type.Object({ id: Id });

export const PostsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'an integer from 1 to 50' }),
  ),
  before: Type.Optional(Cursor),
  kind: Type.Optional(KindField),
  audience: Type.Optional(AudienceField),
});

export const ThreadQuery = Type.Object({ after: Type.Optional(Cursor) });

/** A root as it is written. */
export const RootDraft = Type.Object({
  title: PostTitle,
  body: PostBody,
  kind: Type.Optional(orNull(KindField)),
  audience: Type.Optional(orNull(AudienceField)),
});

/** A reply as it is written; it says the audience of its root, so that none is seen by more than its author meant. */
export const ReplyDraft = Type.Object({
  parent_id: Id,
  body: PostBody,
  audience: Type.Optional(orNull(AudienceField)),
  title: Type.Optional(Type.Unknown({ description: 'no title; replies have none' })),
});

/** A change of one's own post; what is not named stays. */
export const PostChange = Type.Object({
  title: Type.Optional(orNull(PostTitle)),
  body: Type.Optional(PostBody),
  audience: Type.Optional(orNull(AudienceField)),
});

const Origin = Type.Enum(['author', 'rule']);

const post = {
  id: Id,
  thread_id: Id,
  parent_id: nullable(Id),
  kind: nullable(Kind),
  title: nullable(Type.String()),
  body: Type.String(),
  audience: Audience,
  status: Type.Enum(['active', 'hidden']),
  origin: Origin,
  author: Handle,
  author_id: Id,
  author_display_name: Type.String(),
  created_at: Seconds,
  edited_at: nullable(Seconds),
  reply_count: Count,
  last_reply_at: nullable(Seconds),
};

/** A post or a reply (D-FORUM-30). */
export const Post = Type.Object(post, closed);

/** One of the caller's own, with why it was hidden, if it is. */
export const ExportedPost = Type.Object(
  { ...post, hidden_reason: Type.Optional(Type.String()) },
  closed,
);

/** What is said of a new post: without its text, so that no kept answer outlives it. */
export const PostCreated = Type.Object(
  {
    id: Id,
    audience: Audience,
    kind: nullable(Kind),
    parent_id: nullable(Id),
    thread_id: Id,
    origin: Origin,
    created_at: Seconds,
  },
  closed,
);

export const Posts = Type.Object(
  { items: Type.Array(Post, { maxItems: 50 }), next_before: nullable(Id) },
  closed,
);

export const Thread = Type.Object(
  { post: Post, replies: Type.Array(Post, { maxItems: 50 }), next_after: nullable(Id) },
  closed,
);

export const PostRemoved = Type.Object(
  { deleted: Type.Literal(true), id: Id, replies_removed: Count },
  closed,
);

export const SearchQuery = Type.Object({
  q: Query,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 30, description: 'an integer from 1 to 30' }),
  ),
  audience: Type.Optional(AudienceField),
});

export const SearchResults = Type.Object(
  {
    q: Type.String(),
    items: Type.Array(
      Type.Object(
        {
          id: Id,
          thread_id: Id,
          parent_id: nullable(Id),
          title: Type.String(),
          snippet: Type.String(),
          kind: nullable(Kind),
          audience: Audience,
          origin: Origin,
          author: Handle,
          author_id: Id,
          author_display_name: Type.String(),
          created_at: Seconds,
        },
        closed,
      ),
      { maxItems: 30 },
    ),
  },
  closed,
);
