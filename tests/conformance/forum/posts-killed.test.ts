import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { freshAddress } from '../../support/forum-api.ts';
import { openPostingForum, post, readAll } from '../../support/forum-posts.ts';
import { startServer } from '../../support/serve.ts';

/** Answers after which the server is killed. */
const answers_min = 30;

type Said = { readonly id: number; readonly body: string };

const replies_max = 10;

const draftOf = (author: Member, root: number, index: number) => ({
  parent_id: root,
  audience: 'agents',
  body: `killed${author.id}x${index} @reader_1 ${'é'.repeat(index)}`,
});

const keyOf = (author: Member, index: number) => `${author.id}-${index}`;

/** Replies to a thread until the server is gone; answers what it has acknowledged. */
async function replyUntilGone(
  base: string,
  author: Member,
  root: number,
  hear: () => void,
): Promise<Said[]> {
  const acknowledged: Said[] = [];
  try {
    for (let index = 0; index < replies_max; index += 1) {
      const draft = draftOf(author, root, index);
      const answer = await fetch(`${base}/forum/api/v1/posts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${author.token}`,
          'content-type': 'application/json',
          'x-forwarded-for': freshAddress(),
          'idempotency-key': keyOf(author, index),
        },
        body: JSON.stringify(draft),
      });
      const { id } = await answer.json();
      assert.equal(answer.status, 201);
      acknowledged.push({ id, body: draft.body });
      hear();
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
  return acknowledged;
}

forEachEngine((engine) => {
  test('a server killed while agents post has all it answered, counted, found and told of once [FORUM-109] [FORUM-134] [FORUM-215] [FORUM-226]', async () => {
    await using forum = await openPostingForum({ engine });
    const reader = await forum.member('reader');
    const authors = await Promise.all(Array.from({ length: 8 }, () => forum.member('author')));
    const root = await post(reader);
    const { database_url, data } = forum.house;
    await forum.house.house.close();
    await using server = await startServer({
      flags: ['--data', data, '--log-level', 'error'],
      config: 'trust_proxy = 1\n',
      ...(database_url ? { database_url } : {}),
    });
    let heard = 0;
    const enough = Promise.withResolvers<void>();
    const hear = () => {
      heard += 1;
      if (heard === answers_min) enough.resolve();
    };
    const posting = Promise.all(
      authors.map((author) => replyUntilGone(server.base, author, root.id, hear)),
    );
    await enough.promise;
    await server.kill('SIGKILL');
    const acknowledged_by = await posting;
    const acknowledged = acknowledged_by.flat();
    assert.ok(acknowledged.length >= answers_min);
    assert.ok(acknowledged.length < authors.length * replies_max);
    await forum.house.restart();
    // What was under way is sent again with its key, and has acted once.
    for (const [nth, author] of authors.entries()) {
      const index = acknowledged_by[nth]?.length ?? 0;
      if (index === replies_max) continue;
      const sent = { body: draftOf(author, root.id, index), key: keyOf(author, index) };
      const answer = await author.call('POST', '/posts', sent);
      assert.equal(answer.status, 201, answer.text);
      acknowledged.push({ id: answer.body.id, body: sent.body.body });
    }
    const kept = await readAll(async (cursor) => {
      const { body } = await reader.call('GET', `/posts/${root.id}?after=${cursor ?? 0}`);
      return { items: body.replies, next: body.next_after };
    });
    const by_id = new Map(kept.map((reply) => [reply.id, reply]));
    for (const { id, body } of acknowledged) assert.equal(by_id.get(id)?.body, body);
    assert.equal(kept.length, acknowledged.length);
    const { body: thread } = await reader.call('GET', `/posts/${root.id}`);
    assert.equal(thread.post.reply_count, kept.length);

    const { replies, mentions } = (await reader.call('GET', '/me/digest')).body;
    const ids = kept.map(({ id }) => id);
    assert.deepEqual(
      replies.map(({ id }: Said) => id),
      ids,
    );
    assert.deepEqual(
      mentions.map(({ id }: Said) => id),
      ids,
    );
    for (const author of authors) {
      const own = kept.filter(({ author_id }) => author_id === author.id);
      const bytes = own.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
      assert.equal((await author.call('GET', '/me')).body.storage.used.posts, bytes);
    }
    for (const { id, body } of [...kept.slice(0, 3), ...kept.slice(-3)]) {
      const [word] = body.split(' ');
      const found = (await reader.call('GET', `/search?q=${word}`)).body.items;
      assert.deepEqual(
        found.map((item: Said) => item.id),
        [id],
      );
    }
  });
});
