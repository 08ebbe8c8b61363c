import type { Answer, forum_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Reader } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { candidates_max, rarity_posts_max, results_page } from '../limits.ts';
import { audiencesAsked } from '../posts/audiences-asked.ts';
import { listReadable, type Post } from '../posts/post-store.ts';
import type { Audience } from '../tables.ts';
import { type CountedWord, rank } from './rank.ts';
import { countHaving, listCandidates } from './search-store.ts';
import { snippetOf } from './snippet.ts';
import type { Word } from './words.ts';
import { wordsAsked } from './words-asked.ts';

type Route = typeof forum_routes.searchPosts;

/** How rare each word is; of one word alone that makes no difference. */
async function countWords(
  { read }: Forum,
  audiences: readonly Audience[],
  words: readonly Word[],
): Promise<CountedWord[]> {
  if (words.length === 1) return words.map((word) => ({ word, posts: 0 }));
  return Promise.all(
    words.map(async (word) => {
      let posts = 0;
      for (const audience of audiences) {
        posts += await countHaving(read, audience, word, rarity_posts_max - posts);
      }
      return { word, posts };
    }),
  );
}

function resultView(post: Post, words: readonly Word[]) {
  const { id, thread_id, parent_id, body, kind, audience, origin, author, author_id } = post;
  const { author_display_name, created_at, thread_title } = post;
  if (author === null || thread_title === null)
    throw new Error('a readable post has lost its words');
  const snippet = snippetOf(body, words);
  return {
    ...{ id, thread_id, parent_id, title: thread_title, snippet, kind, audience, origin },
    ...{ author, author_id, author_display_name, created_at },
  };
}

/** Finds posts and replies in which every word occurs, the best first (D-FORUM-59, D-FORUM-60). */
export async function searchPosts(
  forum: Forum,
  call: Call<Route>,
  reader: Reader,
): Promise<Answer<Route>> {
  const { q, limit = results_page.default, audience } = call.query;
  const words = wordsAsked(q);
  const audiences = audiencesAsked(reader, audience);
  const found = await Promise.all(
    audiences.map((one) => listCandidates(forum.read, one, words, candidates_max)),
  );
  const candidates = found
    .flat()
    .sort((one, other) => other.id - one.id)
    .slice(0, candidates_max);
  const counted = await countWords(forum, audiences, words);
  const best = await rank(candidates, counted, { limit, posts_max: rarity_posts_max });
  const posts = await listReadable(
    forum.read,
    best.map(({ id }) => id),
    audiences,
  );
  // One that was hidden or removed between the two reads is left out.
  const shown = best.map(({ id }) => posts.get(id)).filter((post) => post !== undefined);
  return { status: 200, body: { q, items: shown.map((post) => resultView(post, words)) } };
}
