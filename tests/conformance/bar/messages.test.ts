import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  assertMembers,
  dm,
  dmRoom,
  join,
  leave,
  openRoom,
  post,
  privateRoom,
  read,
  succeed,
  zeros,
} from '../../support/bar-rooms.ts';
import { answering, openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const bytes_max = 16_384;
const bad = [400, 'bad_request'] as const;

const send = (author: Patron, body: unknown) =>
  author.call('POST', '/rooms/the-bar/messages', body);

/** A value body as a raw text of JSON, which keeps what a JavaScript value would not. */
const sendJson = (author: Patron, text: string) =>
  send(author, `{"content_type": "application/json", "body": ${text}}`);

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const storedBodies = async (reader: Patron) =>
  (await read(reader, 'the-bar')).messages.map(({ body }: { body: string }) => body);

forEachEngine((engine) => {
  test('a post answers the message: thirteen members, those that are not asked for null [BAR-157] [BAR-158]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('marginalia', 'probation');
    await join('the-bar', author);
    bar.house.clock.advance(6_999);
    const answer = await send(author, { body: 'Hello. I am marginalia.' });
    assert.equal(answer.status, 201, answer.text);
    const { id, hash } = answer.body;
    assert.deepEqual(answer.body, {
      id,
      room: 'the-bar',
      author: { agent_id: author.agent_id, name: 'marginalia', state: 'probation' },
      content_type: 'text/markdown',
      body: 'Hello. I am marginalia.',
      reply_to: null,
      retracts: null,
      retracted_by: null,
      signature: null,
      sig_verified: null,
      prev_hash: zeros,
      hash,
      // Cut to the second, not rounded.
      created_at: '2026-09-07T12:00:06Z',
    });
    assert.deepEqual((await read(author, 'the-bar')).messages, [answer.body]);
    // Optional fields that are null are absent, and what is not known is ignored.
    const nulls = { content_type: null, reply_to: null, signature: null, id: 7, author: 'x' };
    const second = await succeed(send(author, { body: 'again', ...nulls }), 201);
    assert.deepEqual([second.content_type, second.reply_to], ['text/markdown', null]);
    assert.ok(second.id > id);
  });

  test('a body that is missing, null or empty is refused before anything is stored [BAR-159]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    for (const content_type of [undefined, 'text/plain', 'application/json']) {
      for (const body of [undefined, null, '']) {
        assertSaysNo(await send(author, { body, content_type }), bad, { about: 'body' });
      }
    }
    for (const given of [undefined, '', 'null', '[]', '"text"', '{"body": "x"']) {
      assertSaysNo(await send(author, given), bad);
    }
    // White space is not nothing.
    await post(author, 'the-bar', ' \n');
    assert.deepEqual(await storedBodies(author), [' \n']);
  });

  test('16,384 bytes of UTF-8 pass and one more is too large, whatever the characters [BAR-160]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    for (const [character, bytes] of [
      ['x', 1],
      ['é', 2],
      ['€', 3],
      ['🍸', 4],
    ] as const) {
      const filler = 'x'.repeat(bytes_max % bytes);
      const most = character.repeat(Math.floor(bytes_max / bytes)) + filler;
      assert.equal((await post(author, 'the-bar', most)).body, most);
      assertSaysNo(await send(author, { body: `${most}x` }), [413, 'payload_too_large']);
    }
    // A form that is wrong is told first, and no quiz is spent on what is too large.
    const large = 'x'.repeat(bytes_max + 1);
    const wrong = { body: large, content_type: 'application/json' };
    assertSaysNo(await send(author, wrong), bad, { about: 'body' });
    const newcomer = await bar.enter('new', 'probation');
    bar.chance.falls = 0;
    assertSaysNo(await send(newcomer, { body: large }), [413, 'payload_too_large']);
    assertSaysNo(await newcomer.call('POST', '/rooms/none/messages', { body: large }), [
      413,
      'payload_too_large',
    ]);
    assert.equal((await storedBodies(author)).length, 4);
  });

  test('a body is kept character for character; what is no Unicode, or holds U+0000, is refused [BAR-161] [BAR-018]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const texts = [
      ' leading and trailing \t ',
      'e\u0301 is not \u00e9, \u212b not \u00c5',
      'line\r\nfeeds\n\u2028\u2029\u0085',
      '\u0001\u001f\u007f\u200b\ufeff\u202eevil',
      '🍸🏳️‍🌈\u{10ffff}\uffff',
      '{"not": "parsed"}',
      "'; drop table bar_message; --",
    ];
    for (const body of texts) assert.equal((await post(author, 'the-bar', body)).body, body);
    assert.deepEqual(await storedBodies(author), texts);
    for (const escaped of ['\\ud800', '\\udc00 x', '\\udc00\\ud800', 'a\\u0000b']) {
      for (const content_type of ['text/plain', 'application/json']) {
        for (const value of [`"${escaped}"`, `{"a": ["${escaped}"]}`, `{"${escaped}": 1}`]) {
          const given = `{"content_type": "${content_type}", "body": ${value}}`;
          assertSaysNo(await send(author, given), bad, { about: 'body', what: given });
        }
      }
    }
    assert.deepEqual(await storedBodies(author), texts);
  });

  test('five content types are taken, compared exactly [BAR-162] [BAR-234]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, other] = await bar.enterAll(2, 'trusted');
    assert.ok(author && other);
    await join('the-bar', author);
    const { id } = await post(author, 'the-bar', 'to be retracted');
    for (const [content_type, body] of [
      ['text/markdown', '**x**'],
      ['text/plain', 'x'],
      ['application/json', '{}'],
      ['application/x-korova-e2e', 'AAAA'],
      ['application/x-korova-retract', `{"retracts": ${id}}`],
    ]) {
      const said = await post(author, 'the-bar', body, { content_type });
      assert.deepEqual([said.content_type, said.body], [content_type, body]);
    }
    for (const content_type of [
      'text/html',
      'TEXT/PLAIN',
      'text/plain; charset=utf-8',
      'text/plain ',
      '',
      7,
      ['text/plain'],
    ]) {
      assertSaysNo(await send(author, { body: 'x', content_type }), bad, {
        about: 'content_type',
        what: String(content_type),
      });
    }
    // Ciphertext is taken in every room that one may post in.
    const e2e = { content_type: 'application/x-korova-e2e' };
    await privateRoom('hidden', author);
    await post(author, 'hidden', 'AAAA', e2e);
    await dm(author, other);
    await post(author, dmRoom(author, other), 'AAAA', e2e);
  });

  test('a JSON text is stored as it was sent, if it is JSON [BAR-163]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const content_type = 'application/json';
    const texts = [
      ' { "a" : 1.0, "a": 9007199254740993, "é": "\\u00e9" }\n',
      '"a text"',
      'null',
      '-0',
      '1e999',
      '"\\ud800"',
      '{"__proto__": 1}',
      nested(500),
    ];
    for (const body of texts) {
      assert.equal((await post(author, 'the-bar', body, { content_type })).body, body);
    }
    assert.deepEqual(await storedBodies(author), texts);
    for (const body of [
      '{',
      "{'a': 1}",
      '{a: 1}',
      '[1,]',
      'NaN',
      '01',
      '\ufeff{}',
      ' ',
      'x',
      '1 2',
    ]) {
      assertSaysNo(await send(author, { body, content_type }), bad, { about: 'body', what: body });
    }
  });

  test('a JSON value is stored as its compact encoding [BAR-164] [BAR-165]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    for (const [sent, stored] of [
      ['{ "b" : [ 1 , true , null ], "a" : "x y" }', '{"b":[1,true,null],"a":"x y"}'],
      ['{"10": 1, "z": 2, "9": 3, "-1": 4}', '{"9":3,"10":1,"z":2,"-1":4}'],
      ['{"a": 1, "b": 2, "a": 3}', '{"a":3,"b":2}'],
      [
        '[1.0, 1E-7, -0, 0.1e1, 1e2, 5e-324, 0.30000000000000004]',
        '[1,1e-7,0,1,100,5e-324,0.30000000000000004]',
      ],
      ['[9007199254740991, -9007199254740991]', '[9007199254740991,-9007199254740991]'],
      ['["é", "\\u00e9", "\\/", "\\u2028", "\\ud83c\\udf78"]', '["é","é","/","\u2028","🍸"]'],
      ['["\\u0001\\u001f\\u007f", "\\"\\\\"]', '["\\u0001\\u001f\u007f","\\"\\\\"]'],
      ['7', '7'],
      ['true', 'true'],
      ['false', 'false'],
      ['[]', '[]'],
      ['{}', '{}'],
      ['{"constructor": {"prototype": 1}}', '{"constructor":{"prototype":1}}'],
    ] as const) {
      const said = await succeed(sendJson(author, sent), 201);
      assert.equal(said.body, stored, sent);
      assert.equal(said.content_type, 'application/json');
    }
  });

  test('the compact encoding is what any JavaScript would print, and is bounded in bytes [BAR-165]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const safe = fc.jsonValue({ maxDepth: 4 }).map((value) =>
      JSON.parse(JSON.stringify(value), (_, member) => {
        if (typeof member === 'string') return member.replaceAll('\0', '').toWellFormed();
        const is_lost = Number.isInteger(member) && !Number.isSafeInteger(member);
        return is_lost ? 1 : member;
      }),
    );
    const sendable = safe.filter((value) => {
      const text = JSON.stringify(value);
      return (
        value !== null &&
        value !== '' &&
        typeof value !== 'string' &&
        !/__proto__|\\u0000|\\ud/i.test(text)
      );
    });
    await fc.assert(
      fc.asyncProperty(sendable, async (value) => {
        bar.advance(1_000);
        const spread = JSON.stringify(value, undefined, 1);
        const said = await succeed(sendJson(author, spread), 201);
        assert.equal(said.body, JSON.stringify(value));
      }),
      { numRuns: 60 },
    );
    const most = 'x'.repeat(bytes_max - '{"a":""}'.length);
    assert.equal(
      (await succeed(sendJson(author, `{ "a" :  "${most}" }`), 201)).body.length,
      bytes_max,
    );
    assertSaysNo(await sendJson(author, `{"a": "${most}x"}`), [413, 'payload_too_large']);
  });

  test('a JSON value with a number that would change, or too deep, is refused [BAR-166]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    for (const value of [
      '9007199254740992',
      '-9007199254740992',
      '[9007199254740993]',
      '{"a": {"b": 123456789012345678901234567890}}',
      '1e400',
      '[-1e309]',
      '1e21',
      '1e-400',
      '{"a": [-2.5E-330]}',
      '{"__proto__": 1}',
      nested(101),
    ]) {
      const refused = assertSaysNo(await sendJson(author, value), bad, {
        about: 'body',
        what: value.slice(0, 30),
      });
      assert.match(refused.message, /send/);
    }
    // The request itself is a level.
    await succeed(sendJson(author, nested(99)), 201);
    assertSaysNo(await sendJson(author, nested(100)), bad, { about: 'body' });
    await succeed(send(author, { content_type: 'application/json', body: nested(101) }), 201);
    assert.equal((await storedBodies(author)).length, 2);
  });

  test('only JSON and retractions may be other than a string [BAR-167]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    for (const content_type of [null, 'text/markdown', 'text/plain', 'application/x-korova-e2e']) {
      for (const body of [{ a: 1 }, ['x'], 7, 0, true, false]) {
        assertSaysNo(await send(author, { body, content_type }), bad, { about: 'body' });
      }
    }
    assert.deepEqual(await storedBodies(author), []);
  });

  test('ciphertext is strict base64, and is not looked into [BAR-168]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const content_type = 'application/x-korova-e2e';
    for (const body of ['AA==', 'AAA=', 'AAAA', '+/+/', 'x'.repeat(bytes_max)]) {
      assert.equal((await post(author, 'the-bar', body, { content_type })).body, body);
    }
    for (const body of [
      'A',
      'AA',
      'AAA',
      'AA=',
      'AB==',
      'AAB=',
      'A===',
      '====',
      'AAAA====',
      'AA==AAAA',
      'AA A',
      'AAAA\n',
      '-_-_',
      'ÄAAA',
    ]) {
      assertSaysNo(await send(author, { body, content_type }), bad, { about: 'body', what: body });
    }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 90 }), async (bytes) => {
        bar.advance(1_000);
        await post(author, 'the-bar', Buffer.from(bytes).toString('base64'), { content_type });
      }),
      { numRuns: 20 },
    );
  });

  test('a reply is to a message of the same room; all else is one refusal [BAR-169]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, other] = await bar.enterAll(2, 'trusted');
    assert.ok(author && other);
    await join('the-bar', author, other);
    await openRoom('elsewhere', author);
    await privateRoom('hidden', other);
    const first = await post(other, 'the-bar', 'one');
    const elsewhere = await post(author, 'elsewhere', 'two');
    const hidden = await post(other, 'hidden', 'three');
    const reply = await post(author, 'the-bar', 'reply', { reply_to: first.id });
    assert.equal(reply.reply_to, first.id);
    assert.equal((await read(other, 'the-bar')).messages[1].reply_to, first.id);
    const texts = new Set<string>();
    for (const reply_to of [elsewhere.id, hidden.id, 999_999, Number.MAX_SAFE_INTEGER]) {
      const refused = await send(author, { body: 'x', reply_to });
      assertSaysNo(refused, bad, { about: 'reply_to' });
      texts.add(refused.text);
    }
    assert.equal(texts.size, 1);
    for (const reply_to of ['1', 1.5, -1, 0, [], true, 9_007_199_254_740_992]) {
      assertSaysNo(await send(author, { body: 'x', reply_to }), bad, { about: 'reply_to' });
    }
    // A retraction and what is retracted may be replied to.
    const retraction = await post(
      other,
      'the-bar',
      { retracts: first.id },
      {
        content_type: 'application/x-korova-retract',
      },
    );
    await post(author, 'the-bar', 'x', { reply_to: first.id });
    await post(author, 'the-bar', 'x', { reply_to: retraction.id });
    assert.equal((await storedBodies(author)).length, 5);
  });

  test('who is not a member is told to join an open room, and knows of no other [BAR-170]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && guest);
    const { hint } = assertSaysNo(await send(guest, { body: 'x' }), [403, 'forbidden']);
    assert.match(hint, /\/bar\/api\/v1\/rooms\/the-bar\/join/);
    await privateRoom('hidden', owner);
    for (const slug of ['hidden', 'none']) {
      assertSaysNo(await guest.call('POST', `/rooms/${slug}/messages`, { body: 'x' }), [
        404,
        'not_found',
      ]);
    }
    // It counts where the agent stands now.
    await join('the-bar', guest);
    await post(guest, 'the-bar', 'in');
    await leave(guest, 'the-bar');
    assertSaysNo(await send(guest, { body: 'out' }), [403, 'forbidden']);
    // What is stored of other messages is not told to who may not post.
    assertSaysNo(await send(guest, { body: 'x', reply_to: 999_999 }), [403, 'forbidden']);
    assert.deepEqual(await storedBodies(owner), ['in']);
  });

  test('in quarantine nothing is posted, and a quizzed post leaves nothing behind [BAR-171] [BAR-285]', async () => {
    await using bar = await openBarHouse(engine);
    const [author] = await bar.enterAll(1, 'member');
    assert.ok(author);
    await join('the-bar', author);
    bar.chance.falls = 0;
    const quizzed = await send(author, { body: 'once' });
    assert.equal(quizzed.status, 428, quizzed.text);
    assert.deepEqual(await storedBodies(author), []);
    const headers = answering(quizzed);
    await succeed(author.call('POST', '/rooms/the-bar/messages', { body: 'once' }, headers), 201);
    await bar.order('quarantine', author);
    for (const body of [{ body: 'twice' }, {}, '{']) {
      assertSaysNo(await send(author, body), [403, 'quarantined']);
    }
    assertSaysNo(await author.call('POST', '/rooms/none/messages', { body: 'x' }), [
      403,
      'quarantined',
    ]);
    assert.deepEqual(await storedBodies(author), ['once']);
  });

  test('an author is shown as it is now, in old messages too [BAR-172]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, reader] = await bar.enterAll(2, 'trusted');
    assert.ok(author && reader);
    await join('the-bar', author, reader);
    await post(author, 'the-bar', 'old');
    const authorOf = async () => (await read(reader, 'the-bar')).messages[0].author;
    assert.deepEqual(await authorOf(), {
      agent_id: author.agent_id,
      name: author.name,
      state: 'trusted',
    });
    await succeed(author.call('PATCH', '/me', { name: 'renamed' }));
    await bar.order('quarantine', author);
    assert.deepEqual(await authorOf(), {
      agent_id: author.agent_id,
      name: 'renamed',
      state: 'quarantined',
    });
    await bar.order('ban', author);
    const inbox = await succeed(reader.call('GET', '/inbox'));
    assert.equal(inbox.messages[0].author.state, 'banned');
  });

  test('no route edits or deletes a message [BAR-173]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const message = await post(author, 'the-bar', 'stays');
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/rooms/the-bar/messages', '/rooms/the-bar', '/rooms/the-bar/chain']) {
        assertSaysNo(await author.call(method, path, { body: 'x' }), [405, 'method_not_allowed']);
      }
      for (const path of [`/messages/${message.id}`, `/rooms/the-bar/messages/${message.id}`]) {
        assertSaysNo(await author.call(method, path, { body: 'x' }), [404, 'not_found']);
      }
    }
    assert.deepEqual((await read(author, 'the-bar')).messages, [message]);
  });

  test('what was answered is there after a restart, with the same fields [BAR-174]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const posted = await Promise.all(
      Array.from({ length: 30 }, (_, index) => post(author, 'the-bar', `message ${index} 🍸`)),
    );
    posted.sort((one, other) => one.id - other.id);
    await bar.house.restart();
    const after = await read(author, 'the-bar');
    assert.deepEqual(after.messages, posted);
    const next = await post(author, 'the-bar', 'next');
    assert.equal(next.prev_hash, posted.at(-1)?.hash);
    assertMembers(after, 'room messages next_since chain_head wait_granted');
  });
});
