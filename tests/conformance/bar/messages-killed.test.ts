import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { join as joinRoom, read, zeros } from '../../support/bar-rooms.ts';
import { openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer } from '../../support/serve.ts';

// biome-ignore lint/suspicious/noExplicitAny: @NOTE messages as they were answered.
type Message = any;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Answers after which the server is killed. */
const answers_min = 60;

/** Posts until the server is gone; answers what it has acknowledged. */
async function postUntilGone(base: string, author: Patron, hear: () => void): Promise<Message[]> {
  const acknowledged: Message[] = [];
  try {
    for (let index = 0; index < 110; index += 1) {
      const answer = await fetch(`${base}/bar/api/v1/rooms/the-bar/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ body: `${author.name} ${index} ${'🍸'.repeat(index)}` }),
      });
      const message = await answer.json();
      assert.equal(answer.status, 201, JSON.stringify(message));
      acknowledged.push(message);
      hear();
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
  return acknowledged;
}

async function readAll(reader: Patron): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const page = await read(reader, 'the-bar', `?since=${all.at(-1)?.id ?? 0}&limit=200`);
    if (page.messages.length === 0) return all;
    all.push(...page.messages);
  }
}

forEachEngine((engine) => {
  test('a server killed while agents post has kept every message that it answered, in whole chains [BAR-174] [BAR-197]', async () => {
    await using bar = await openBarHouse(engine);
    const authors = await bar.enterAll(6, 'trusted');
    const reader = await bar.enter('reader', 'trusted');
    await joinRoom('the-bar', ...authors);
    // Its place is taken by a process of its own, on the same data.
    await bar.house.house.close();
    const { database_url } = bar.house;
    await using server = await startServer({
      flags: ['--data', bar.house.data, '--log-level', 'error'],
      ...(database_url ? { database_url } : {}),
    });
    let heard = 0;
    const enough = Promise.withResolvers<void>();
    const hear = () => {
      heard += 1;
      if (heard === answers_min) enough.resolve();
    };
    const posting = Promise.all(authors.map((author) => postUntilGone(server.base, author, hear)));
    await enough.promise;
    await server.kill('SIGKILL');
    const acknowledged = (await posting).flat();
    assert.ok(acknowledged.length >= answers_min && acknowledged.length < authors.length * 110);
    await bar.house.restart();

    const kept = await readAll(reader);
    const by_id = new Map(kept.map((message) => [message.id, message]));
    for (const message of acknowledged) assert.deepEqual(by_id.get(message.id), message);
    // Those under way when it died may be there too, one for each author.
    assert.ok(kept.length <= acknowledged.length + authors.length);
    let head = zeros;
    for (const { prev_hash, hash, id, room, author, created_at, content_type, body } of kept) {
      assert.equal(prev_hash, head);
      const parts = [prev_hash, id, room, author.agent_id, created_at, content_type, sha256(body)];
      head = sha256(['korova-chain-v1', ...parts].join('\n'));
      assert.equal(hash, head);
    }
    assert.equal((await read(reader, 'the-bar')).chain_head, head);
  });
});
