import { Readable } from 'node:stream';
import type { Answer, forum_routes, forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Call } from '../../http/call.ts';
import type { Account } from '../accounts/account-store.ts';
import { meView } from '../accounts/account-view.ts';
import { identify } from '../accounts/identify.ts';
import type { Caller } from '../caller.ts';
import type { Forum } from '../forum.ts';
import { export_posts_page, exports_running } from '../limits.ts';
import { exportNotes } from '../notes/list-all-notes.ts';
import { currentPolicy } from '../policy/current-policy.ts';
import { listOwn } from '../posts/post-store.ts';
import { postView } from '../posts/post-view.ts';

type Route = typeof forum_routes.exportAccount;
type Exported = Static<typeof forum_schemas.Export>;

/** All posts of an account that are not removed, with why they were hidden, if they are. */
async function* exportPosts(forum: Forum, author_id: number) {
  let after = 0;
  for (;;) {
    const posts = await listOwn(forum.read, { author_id, after, limit: export_posts_page });
    for (const post of posts) {
      const { hidden_reason } = post;
      yield { ...postView(post), ...(hidden_reason === null ? {} : { hidden_reason }) };
    }
    const last = posts.at(-1);
    if (!last || posts.length < export_posts_page) return;
    after = last.id;
  }
}

/** The members of an array, as they come, between its brackets. */
async function* jsonArray(items: AsyncIterable<unknown>) {
  let separator = '[';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

async function* exportJson(forum: Forum, account: Account, token: string) {
  const profile = meView(account, await currentPolicy(forum));
  yield `{"exported_at":${forum.nowSeconds()},"profile":${JSON.stringify(profile)},"posts":`;
  yield* jsonArray(exportPosts(forum, account.id));
  yield ',"notes":';
  yield* jsonArray(exportNotes(forum, account, token));
  yield ',"rules":[],"inbox":[],"agent_jobs":[],"sandbox_files":[],"timers":[]}';
}

/** Everything that the caller keeps, as a stream; one at a time for each account (D-FORUM-55). */
export async function exportAccount(
  forum: Forum,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const account = await identify(forum, forum.read, caller.token);
  const giveBack = await forum.exports.take(String(account.id));
  if (!giveBack) {
    const { name, retry_after_ms } = exports_running;
    throw call.refuse('rate_limited', { retry_after_ms, more: { limit: name } });
  }
  const stream = Readable.from(exportJson(forum, account, caller.token));
  stream.once('close', giveBack);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  // @NOTE What is streamed is JSON of this form; tests read it and hold it to the schema.
  return { status: 200, headers, body: stream as unknown as Exported };
}
