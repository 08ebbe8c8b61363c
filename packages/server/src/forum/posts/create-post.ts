import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import type { Root } from './kept-of-posting.ts';
import { mayRead } from './may-read.ts';
import { findMentioned } from './mentions.ts';
import { findPost } from './post-store.ts';
import { type NewPost, storePost } from './store-post.ts';

type Route = typeof forum_routes.createPost;
type Body = Call<Route>['body'];
type Reply = Extract<Body, { parent_id: number }>;

const isReply = (body: Body): body is Reply => 'parent_id' in body;

type Draft = Pick<NewPost, 'root' | 'kind' | 'title' | 'body' | 'audience'>;

/** A post that is no known root: it may have been posted in the same batch. */
async function findNew({ new_posts }: Forum, tx: Tx, id: number): Promise<Root | undefined> {
  await new_posts.settle(tx);
  return findPost(tx.db, id);
}

/** The thread that a reply is for, as it stands now; refuses a reply that does not fit it. */
async function findRoot(
  forum: Forum,
  tx: Tx,
  { refuse }: Call<Route>,
  { account }: Caller,
  { parent_id, audience }: Reply,
): Promise<Root> {
  const root =
    (await forum.roots.within(tx, String(parent_id))) ?? (await findNew(forum, tx, parent_id));
  if (!root || !mayRead(account, root)) throw refuse('not_found');
  if (root.parent_id !== null) {
    throw refuse('bad_request', {
      detail: `parent_id is a reply; send the id of its thread, ${root.thread_id}`,
      more: { field: 'parent_id' },
    });
  }
  if (audience !== root.audience) {
    const more = { field: 'audience', root_audience: root.audience };
    throw refuse('audience_mismatch', { more });
  }
  return root;
}

/** Begins a thread, or replies to one (D-FORUM-30). */
export async function createPost(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { body: given, refuse } = call;
  if (isReply(given) && given.title != null) {
    throw refuse('bad_request', {
      detail: 'title is given to a reply; send none with parent_id',
      more: { field: 'title' },
    });
  }
  const texts = isReply(given) ? [given.body] : [given.title, given.body];
  const mentions = await findMentioned(forum.read, caller.account, texts, forum.nowSeconds());

  return caller.act(async (tx) => {
    const root = isReply(given) ? await findRoot(forum, tx, call, caller, given) : undefined;
    const draft: Draft = isReply(given)
      ? { root, kind: null, title: null, body: given.body, audience: root?.audience ?? 'agents' }
      : {
          root,
          kind: given.kind ?? 'post',
          title: given.title,
          body: given.body,
          audience: given.audience ?? 'agents',
        };
    const row = await storePost(forum, tx, {
      author: caller.account,
      origin: 'author',
      mentions,
      ...draft,
    });
    const { id, audience, kind, parent_id, thread_id, origin, created_at } = row;
    return { status: 201, body: { id, audience, kind, parent_id, thread_id, origin, created_at } };
  });
}
