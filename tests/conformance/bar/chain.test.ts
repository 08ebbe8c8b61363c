import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  assertMembers,
  dm,
  dmRoom,
  join,
  openRoom,
  post,
  privateRoom,
  read,
  succeed,
  zeros,
} from '../../support/bar-rooms.ts';
import { openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { engines, forEachEngine } from '../../support/engines.ts';
import { runPython } from '../../support/python.ts';

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** The check of section 9 of the protocol, as it is printed there. */
const python_verify = `
import hashlib
def verify(msgs, prev="0" * 64):
    """msgs: ascending messages of one room starting at its first message (or pass prev = the prev_hash of your first)."""
    for m in msgs:
        canon = "\\n".join(["korova-chain-v1", m["prev_hash"], str(m["id"]), m["room"], m["author"]["agent_id"],
                           m["created_at"], m["content_type"], hashlib.sha256(m["body"].encode()).hexdigest()])
        assert m["prev_hash"] == prev and hashlib.sha256(canon.encode()).hexdigest() == m["hash"], m["id"]
        prev = m["hash"]
    return prev  # compare with chain_head
import json, sys
print(verify(json.load(sys.stdin)))
`;

// biome-ignore lint/suspicious/noExplicitAny: @NOTE messages, whose shape was checked against openapi.json.
type Message = any;

/** Every message of a room, read page by page. */
async function readAll(reader: Patron, slug: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const since = all.at(-1)?.id ?? 0;
    const { messages } = await read(reader, slug, `?since=${since}&limit=200`);
    if (messages.length === 0) return all;
    all.push(...messages);
  }
}

/** The hash of a message, computed as the document says, without the house's own code. */
function hashOf(message: Message): string {
  const { prev_hash, id, room, author, created_at, content_type, body } = message;
  const parts = [prev_hash, id, room, author.agent_id, created_at, content_type, sha256(body)];
  return sha256(['korova-chain-v1', ...parts].join('\n'));
}

/** Asserts that these are a whole chain, and answers its head. */
function assertChained(messages: readonly Message[]): string {
  let head = zeros;
  let last_id = 0;
  for (const message of messages) {
    assert.equal(message.prev_hash, head);
    assert.equal(message.hash, hashOf(message));
    assert.ok(message.id > last_id);
    head = message.hash;
    last_id = message.id;
  }
  return head;
}

const chain = (reader: Patron, slug: string, query = '') =>
  succeed(reader.call('GET', `/rooms/${slug}/chain${query}`));

forEachEngine((engine) => {
  test('messages hash and link as the document says, in every room by itself [BAR-193] [BAR-194] [BAR-011]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, other] = await bar.enterAll(2, 'trusted');
    assert.ok(author && other);
    await join('the-bar', author, other);
    await privateRoom('hidden', author, other);
    const all_ids: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      bar.advance(1_700);
      all_ids.push((await post(author, 'the-bar', `public ${index}`)).id);
      all_ids.push(
        (await post(other, 'hidden', { index }, { content_type: 'application/json' })).id,
      );
      all_ids.push((await dm(author, other, `dm ${index}`)).message.id);
    }
    assert.deepEqual(
      all_ids,
      all_ids.toSorted((one, other) => one - other),
    );
    for (const slug of ['the-bar', 'hidden', dmRoom(author, other)]) {
      const messages = await readAll(author, slug);
      assert.equal(messages.length, 5);
      const head = assertChained(messages);
      assert.equal((await read(author, slug)).chain_head, head);
      assert.equal((await succeed(author.call('GET', `/rooms/${slug}`))).chain_head, head);
      assert.match(head, /^[0-9a-f]{64}$/);
    }
  });

  test('the Python of the document verifies a room of odd bodies, up to its head [BAR-195] [BAR-235]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const bodies = [
      'emoji 🍸 👩‍🚀',
      '\u2028 and \u2029',
      'control \u0001\u0007\u001b\u007f',
      'CRLF\r\nLF\nCR\r',
      '\ufeffmark',
      'e\u0301',
      '"quoted\\"',
    ];
    for (const body of bodies) await post(author, 'the-bar', body);
    await post(author, 'the-bar', { é: '🍸' }, { content_type: 'application/json' });
    await post(author, 'the-bar', 'AAAA', { content_type: 'application/x-korova-e2e' });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        bar.advance(1_000);
        const body = text.replaceAll('\0', '').toWellFormed() || 'x';
        assert.equal((await post(author, 'the-bar', body)).body, body);
      }),
      { numRuns: 40 },
    );
    const messages = await readAll(author, 'the-bar');
    assert.equal(messages.length, bodies.length + 42);
    const head = assertChained(messages);
    const { stdout, stderr } = await runPython(['-c', python_verify], {
      input: JSON.stringify(messages),
    });
    assert.equal(stdout.trim(), (await read(author, 'the-bar')).chain_head, stderr);
    assert.equal(stdout.trim(), head);
  });

  test('of 64 posts at once no two continue the same message [BAR-196]', async () => {
    await using bar = await openBarHouse(engine);
    const authors = await bar.enterAll(8, 'trusted');
    await join('the-bar', ...authors);
    const posted = await Promise.all(
      authors.flatMap((author, at) =>
        Array.from({ length: 8 }, (_, index) => post(author, 'the-bar', `${at} ${index}`)),
      ),
    );
    assert.equal(new Set(posted.map(({ prev_hash }) => prev_hash)).size, 64);
    const [reader] = authors;
    assert.ok(reader);
    const messages = await readAll(reader, 'the-bar');
    assertChained(messages);
    assert.deepEqual(
      messages,
      posted.toSorted((one, other) => one.id - other.id),
    );
  });

  test('after a restart every message hashes to its stored hash, and the chain goes on [BAR-197]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, other] = await bar.enterAll(2, 'trusted');
    assert.ok(author && other);
    await openRoom('kept', author, other);
    for (let index = 0; index < 20; index += 1) {
      bar.advance(333);
      await post(index % 2 ? author : other, 'kept', `${'🍸'.repeat(index)} ${index}`);
    }
    const before = await readAll(author, 'kept');
    const links = await chain(author, 'kept');
    await bar.house.restart();
    const after = await readAll(author, 'kept');
    assert.deepEqual(after, before);
    assertChained(after);
    assert.deepEqual(await chain(author, 'kept'), links);
    const next = await post(author, 'kept', 'next');
    assert.equal(next.prev_hash, before.at(-1).hash);
    assert.ok(next.id > before.at(-1).id);
  });

  test('the chain route gives the links without bodies, and what they are made of [BAR-198] [BAR-199] [BAR-200]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, reader] = await bar.enterAll(2, 'trusted');
    assert.ok(author && reader);
    const none = await chain(reader, 'the-bar');
    assertMembers(none, 'room head count genesis canonical_format truncated links');
    assert.deepEqual(none, {
      room: 'the-bar',
      head: zeros,
      count: 0,
      genesis: zeros,
      canonical_format:
        'korova-chain-v1\n{prev_hash}\n{id}\n{room_slug}\n{author_id}\n{created_at}\n{content_type}\n{sha256_hex(body)}',
      truncated: false,
      links: [],
    });
    await join('the-bar', author);
    await post(author, 'the-bar', 'one');
    await post(author, 'the-bar', 'two 🍸', { content_type: 'text/plain' });
    await post(author, 'the-bar', { a: 1 }, { content_type: 'application/json' });
    const messages = await readAll(author, 'the-bar');
    const { head, count, truncated, links } = await chain(reader, 'the-bar');
    assert.deepEqual([head, count, truncated], [messages.at(-1).hash, 3, false]);
    assert.deepEqual(
      links,
      messages.map(
        ({ id, prev_hash, hash, author: { agent_id }, created_at, content_type, body }) => ({
          id,
          prev_hash,
          hash,
          author_id: agent_id,
          created_at,
          content_type,
          body_sha256: sha256(body),
        }),
      ),
    );
  });

  test('from and to bound the links, both inclusive [BAR-201]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await openRoom('elsewhere', author);
    await join('the-bar', author);
    const ids: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push((await post(author, 'the-bar', 'x')).id);
      await post(author, 'elsewhere', 'x');
    }
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids;
    for (const [query, expected] of [
      ['', ids],
      ['?from=0', ids],
      [`?from=${second}`, [second, third, fourth, fifth]],
      [`?from=${second + 1}`, [third, fourth, fifth]],
      [`?to=${fourth}`, [first, second, third, fourth]],
      [`?to=${fourth - 1}`, [first, second, third]],
      [`?from=${second}&to=${fourth}`, [second, third, fourth]],
      [`?from=${third}&to=${third}`, [third]],
      [`?from=${fourth}&to=${second}`, []],
      ['?to=0', []],
      ['?from=9007199254740991', []],
    ] as const) {
      const { links, count, truncated, head } = await chain(author, 'the-bar', query);
      assert.deepEqual(
        links.map(({ id }: Message) => id),
        expected,
        query,
      );
      assert.deepEqual([count, truncated], [expected.length, false]);
      assert.equal(head, (await read(author, 'the-bar')).chain_head);
    }
    for (const name of ['from', 'to']) {
      for (const value of ['-1', '1.5', 'abc', '', '9007199254740992', `1&${name}=2`]) {
        const refused = await author.call('GET', `/rooms/the-bar/chain?${name}=${value}`);
        assertSaysNo(refused, [400, 'bad_request'], { about: name, what: value });
      }
    }
  });

  test('1,000 links come at once; the rest is read from the last id on [BAR-202]', async () => {
    await using bar = await openBarHouse(engine);
    const authors = await bar.enterAll(10, 'trusted');
    const [reader] = authors;
    assert.ok(reader);
    await join('the-bar', ...authors);
    const write = (each: number) =>
      Promise.all(
        authors.flatMap((author) =>
          Array.from({ length: each }, (_, index) => post(author, 'the-bar', `${index}`)),
        ),
      );
    await write(100);
    const whole = await chain(reader, 'the-bar');
    assert.deepEqual([whole.count, whole.links.length, whole.truncated], [1_000, 1_000, false]);
    const { id } = await post(reader, 'the-bar', 'one more');
    const page = await chain(reader, 'the-bar');
    assert.deepEqual([page.count, page.truncated], [1_000, true]);
    assert.deepEqual(page.links, whole.links);
    const last_id = page.links.at(-1).id;
    const rest = await chain(reader, 'the-bar', `?from=${last_id + 1}`);
    assert.deepEqual([rest.links.map(({ id }: Message) => id), rest.truncated], [[id], false]);
    assert.equal(rest.links[0].prev_hash, page.links.at(-1).hash);
    // What lies beyond `to` truncates nothing.
    assert.equal((await chain(reader, 'the-bar', `?to=${last_id}`)).truncated, false);
    assert.equal((await chain(reader, 'the-bar', `?to=${id}`)).truncated, true);
  });

  test('the chain of an open room is for all, of another for its members [BAR-203]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, stranger] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && stranger);
    await openRoom('open-room', owner);
    await privateRoom('hidden', owner);
    for (const slug of ['open-room', 'hidden']) await post(owner, slug, 'x');
    assert.equal((await chain(stranger, 'open-room')).count, 1);
    assert.equal((await chain(owner, 'hidden')).count, 1);
    for (const slug of ['hidden', 'none']) {
      assertSaysNo(await stranger.call('GET', `/rooms/${slug}/chain`), [404, 'not_found']);
    }
  });
});

if (engines.includes('postgres')) {
  test('64 posts at once from two processes make one chain [BAR-196]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const authors = await one.enterAll(8, 'trusted');
    const [reader] = authors;
    assert.ok(reader);
    await join('the-bar', ...authors);
    const posted = await Promise.all(
      authors.flatMap((author, at) =>
        Array.from({ length: 8 }, (_, index) =>
          post(index % 2 ? author : two.visit(author), 'the-bar', `${at} ${index}`),
        ),
      ),
    );
    assert.equal(new Set(posted.map(({ prev_hash }) => prev_hash)).size, 64);
    assert.equal(new Set(posted.map(({ id }) => id)).size, 64);
    for (const seen of [reader, two.visit(reader)]) {
      const messages = await readAll(seen, 'the-bar');
      assert.deepEqual(
        messages,
        posted.toSorted((a, b) => a.id - b.id),
      );
      assertChained(messages);
    }
  });
}
