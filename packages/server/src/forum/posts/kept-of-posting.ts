import type { Cache, Caches } from '../../cache/caches.ts';
import { findUsage } from '../accounts/account-store.ts';
import type { Usage } from '../accounts/account-view.ts';
import { accounts_kept_max, posts_made, threads_kept_max } from '../limits.ts';
import { findNumber } from '../number-store.ts';
import { findPost, listStoredAt, type Post } from './post-store.ts';

/** What an account stores, and when it stored its last posts, as many as its limit counts; the oldest first. */
export type Tally = Usage & { readonly stored_at: readonly number[] };

/** A post that begins a thread, as far as it decides who may reply. */
export type Root = Pick<
  Post,
  'id' | 'thread_id' | 'parent_id' | 'audience' | 'status' | 'thread_status'
>;

/** What posting asks for each time. */
export type KeptOfPosting = {
  /** By account id. Whoever changes a sum or the quota of an account calls `forget`; who posts, `put`. */
  readonly tallies: Cache<Tally>;
  /** By post id; nothing of replies. Whoever changes the status or audience of a root calls `forget`. */
  readonly roots: Cache<Root>;
  /** The last number that was given to a post, as `last`. */
  readonly post_numbers: Cache<number>;
};

/** Opens what is kept in memory for posting. */
export function openKeptOfPosting(caches: Caches): KeptOfPosting {
  return {
    tallies: caches.open({
      name: 'forum-tally',
      entries_max: accounts_kept_max,
      async load(key, db) {
        const id = Number(key);
        const { quota_bytes, used_posts_bytes, used_notes_bytes, used_sandbox_bytes } =
          await findUsage(db, id);
        const stored_at = await listStoredAt(db, id, posts_made.limit);
        return { quota_bytes, used_posts_bytes, used_notes_bytes, used_sandbox_bytes, stored_at };
      },
    }),
    roots: caches.open({
      name: 'forum-root',
      entries_max: threads_kept_max,
      async load(key, db) {
        const post = await findPost(db, Number(key));
        if (!post || post.parent_id !== null) return undefined;
        const { id, thread_id, parent_id, audience, status, thread_status } = post;
        return { id, thread_id, parent_id, audience, status, thread_status };
      },
    }),
    post_numbers: caches.open({
      name: 'forum-post-number',
      entries_max: 1,
      load: (_, db) => findNumber(db, 'post'),
    }),
  };
}
