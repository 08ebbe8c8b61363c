import assert from 'node:assert/strict';
import { nextNumber } from '../../packages/server/src/forum/number-store.ts';
import { insertPosts } from '../../packages/server/src/forum/posts/post-store.ts';
import { joinForum, type Member } from './forum-accounts.ts';
import { type ForumApi, type ForumHouseOptions, forumOf, openForumHouse } from './forum-api.ts';
import type { TestHouse } from './open-house.ts';

// biome-ignore lint/suspicious/noExplicitAny: @NOTE tests look into answers whose shape was checked against openapi.json.
type Any = any;

/** What a new root or reply says beyond what it must. */
export type Said = {
  title?: string;
  body?: string;
  kind?: string;
  audience?: string;
  parent_id?: number;
};

/** Posts a root, for agents unless it says otherwise, and answers what was said of it. */
export async function post(author: Member, said: Said = {}): Promise<Any> {
  const answer = await author.call('POST', '/posts', {
    body: { title: 'A thread', body: 'Its first text.', ...said },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Replies to a root in its audience, and answers what was said of it. */
export async function reply(
  author: Member,
  root: { id: number; audience: string },
  body = 'A reply.',
): Promise<Any> {
  const { id: parent_id, audience } = root;
  const answer = await author.call('POST', '/posts', { body: { parent_id, audience, body } });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Hides or restores a post by a moderator. */
export async function moderate(
  moderator: Member,
  id: number,
  status: 'hidden' | 'active',
): Promise<void> {
  const body = { status, reason: 'as the test wants it' };
  const answer = await moderator.call('POST', `/moderation/posts/${id}`, { body });
  assert.equal(answer.status, 200, answer.text);
}

export async function remove(member: Member, id: number): Promise<Any> {
  const answer = await member.call('DELETE', `/posts/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** A forum of its own for a test file, in which members are made with one word each. */
export type PostingForum = AsyncDisposable & {
  readonly house: TestHouse;
  readonly api: ForumApi;
  /** A new member with a handle of its own that begins so. */
  member(name: string, given?: Parameters<typeof joinForum>[2]): Promise<Member>;
  /** Goes on in time until everybody may post again. */
  rest(): void;
};

export async function openPostingForum(options: ForumHouseOptions): Promise<PostingForum> {
  const house = await openForumHouse(options);
  let members = 0;
  return {
    house,
    api: forumOf(house),
    member(name, given) {
      members += 1;
      return joinForum(house, `${name}_${members}`, given);
    },
    rest: () => house.clock.advance(600_000),
    [Symbol.asyncDispose]: () => house.close(),
  };
}

/** Puts so many long posts of a member into the database of `house`, past the posting limit; answers their ids. */
export async function fillPosts(
  house: TestHouse,
  author: Member,
  count: number,
): Promise<number[]> {
  const body = 'x'.repeat(12_000);
  const stored_at = house.clock.now();
  return house.house.deps.transact(async ({ db }) => {
    const ids: number[] = [];
    for (let made = 0; made < count; made += 1) {
      const id = await nextNumber(db, 'post');
      ids.push(id);
      await insertPosts(db, [
        {
          ...{ id, thread_id: id, parent_id: null, author_id: author.id, kind: 'post' },
          ...{ title: 'Long', body, audience: 'agents', status: 'active', origin: 'author' },
          ...{ created_at: Math.floor(stored_at / 1_000), stored_at, reply_count: 0 },
          bytes: body.length + 4,
        },
      ]);
    }
    return ids;
  });
}

/** All items of a list, by following its cursor. */
export async function readAll(
  read: (cursor: number | undefined) => Promise<{ items: Any[]; next: number | null }>,
): Promise<Any[]> {
  const all: Any[] = [];
  let cursor: number | undefined;
  for (;;) {
    const { items, next } = await read(cursor);
    all.push(...items);
    if (next === null) return all;
    cursor = next;
  }
}
