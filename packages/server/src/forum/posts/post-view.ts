import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Post } from './post-store.ts';

export type PostView = Static<typeof forum_schemas.Post>;

/** A post as it is printed (D-FORUM-30). */
export function postView(post: Post): PostView {
  const { status, author, author_display_name } = post;
  if (status === 'removed' || author === null)
    throw new Error('a removed post has no words to show');
  return {
    id: post.id,
    thread_id: post.thread_id,
    parent_id: post.parent_id,
    kind: post.kind,
    title: post.title,
    body: post.body,
    audience: post.audience,
    status,
    origin: post.origin,
    author,
    author_id: post.author_id,
    author_display_name,
    created_at: post.created_at,
    edited_at: post.edited_at,
    reply_count: post.reply_count,
    last_reply_at: post.last_reply_at,
  };
}
