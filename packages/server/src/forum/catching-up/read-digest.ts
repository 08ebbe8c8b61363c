import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { identify } from '../accounts/identify.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { digest_entries_max } from '../limits.ts';
import { activity_stream, readActivity } from '../posts/activity.ts';
import { readableAudiences } from '../posts/may-read.ts';
import { listReadable, type Post } from '../posts/post-store.ts';
import { snippetOf } from '../search/snippet.ts';

type Route = typeof forum_routes.readDigest;

function briefView(post: Post) {
  const { id, thread_id, author, author_id, audience, created_at, thread_title, body } = post;
  if (author === null || thread_title === null)
    throw new Error('a readable post has lost its words');
  const snippet = snippetOf(body);
  return { id, thread_id, title: thread_title, author, author_id, audience, created_at, snippet };
}

/** What others have posted since the caller last looked, or since a position that it names (D-FORUM-53). */
export async function readDigest(
  forum: Forum,
  call: Call<Route>,
  { token }: Caller,
): Promise<Answer<Route>> {
  const account = await identify(forum, forum.read, token);
  const { since = account.digest_cursor } = call.query;
  const entries = await forum.log.readAfter(activity_stream, since, digest_entries_max + 1);
  const examined = entries.slice(0, digest_entries_max);
  const activities = examined.map(readActivity).filter(({ author_id }) => author_id !== account.id);
  const posts = await listReadable(
    forum.read,
    activities.map(({ post_id }) => post_id),
    readableAudiences(account),
  );
  const seen = activities.flatMap(({ post_id, mentions }) => {
    const post = posts.get(post_id);
    return post ? [{ post, is_mention: mentions.includes(account.id) }] : [];
  });
  const briefs = (fits: (one: (typeof seen)[number]) => boolean) =>
    seen.filter(fits).map(({ post }) => briefView(post));
  return {
    status: 200,
    body: {
      since,
      cursor: examined.at(-1)?.position ?? since,
      more: entries.length > examined.length,
      replies: briefs(
        ({ post }) => post.parent_id !== null && post.thread_author_id === account.id,
      ),
      mentions: briefs(({ is_mention }) => is_mention),
      threads: briefs(({ post }) => post.parent_id === null),
      inbox: [],
      unread: 0,
    },
  };
}
