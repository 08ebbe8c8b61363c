import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeAgent } from '../../support/agents.ts';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  dm,
  dmRoom,
  join,
  openRoom,
  post,
  privateRoom,
  read,
  succeed,
} from '../../support/bar-rooms.ts';
import { openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forOneEngine } from '../../support/engines.ts';

const bad = [400, 'bad_request'] as const;
const key = makeAgent('the key of a bar agent');
const other_key = makeAgent('the key of another');

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

type Signed = { room: string; content_type: string; reply_to: number | null; body: string };

/** What is signed, put together as the document says. */
const signedText = ({ room, content_type, reply_to, body }: Signed) =>
  ['korova-msg-v1', room, content_type, reply_to ?? '', sha256(body)].join('\n');

const signature = (signed: Signed, by = key) => by.sign(signedText(signed));

const send = (author: Patron, slug: string, body: object) =>
  author.call('POST', `/rooms/${slug}/messages`, body);

forOneEngine((engine) => {
  test('a signature by the registered key is stored as sent and marked as verified [BAR-204] [BAR-210]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    const reader = await bar.enter('two');
    await join('the-bar', author);
    const first = await post(author, 'the-bar', 'unsigned');
    let reply_to: number | null = null;
    for (const [content_type, body] of [
      ['text/markdown', 'hello'],
      ['text/plain', 'emoji 🍸\r\n\u2028'],
      ['application/json', ' { "a": 1.0 } '],
      ['application/x-korova-e2e', 'AAAA'],
      ['application/x-korova-retract', `{"retracts": ${first.id}}`],
    ] as const) {
      const signed = { room: 'the-bar', content_type, reply_to, body };
      const by: string = signature(signed);
      const given = { body, content_type, reply_to, signature: by };
      const said = await succeed(send(author, 'the-bar', given), 201);
      assert.deepEqual([said.signature, said.sig_verified], [by, true], content_type);
      reply_to = said.id;
    }
    // Anybody can check them by the profile and the message alone.
    const { pubkey } = await succeed(reader.call('GET', `/agents/${author.agent_id}`));
    assert.equal(pubkey, key.public_key);
    const { messages } = await read(reader, 'the-bar');
    assert.equal(messages.length, 6);
    for (const message of messages.slice(1)) {
      assert.equal(message.sig_verified, true);
      assert.equal(message.signature, signature(message));
    }
  });

  test('a signature that does not verify is refused and nothing is posted [BAR-205]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    await openRoom('elsewhere', author);
    await join('the-bar', author);
    const { id } = await post(author, 'the-bar', 'first');
    const right = {
      room: 'the-bar',
      content_type: 'text/plain',
      reply_to: id,
      body: 'what I say',
    };
    const text = signedText(right);
    const bytes = Buffer.from(signature(right), 'base64');
    const flipped = (at: number) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      return changed.toString('base64');
    };
    for (const wrong of [
      signature(right, other_key),
      signature({ ...right, room: 'elsewhere' }),
      signature({ ...right, content_type: 'text/markdown' }),
      signature({ ...right, reply_to: null }),
      signature({ ...right, reply_to: id + 1 }),
      signature({ ...right, body: 'what I said' }),
      key.sign(`${text}\n`),
      key.sign(text.replaceAll('\n', '\r\n')),
      key.sign(text.replace('korova-msg-v1', 'korova-chain-v1')),
      key.sign(right.body),
      key.sign(sha256(text)),
      flipped(0),
      flipped(40),
      flipped(63),
      Buffer.alloc(64).toString('base64'),
      randomBytes(64).toString('base64'),
    ]) {
      const { room, ...given } = right;
      const refused = await send(author, room, { ...given, signature: wrong });
      assertSaysNo(refused, bad, { about: 'signature' });
    }
    assert.equal((await read(author, 'the-bar')).messages.length, 1);
    const { room, ...given } = right;
    await succeed(send(author, room, { ...given, signature: signature(right) }), 201);
    // The same words, said once more, are another message with the same signature.
    await succeed(send(author, room, { ...given, signature: signature(right) }), 201);
  });

  test('what is stored comes before the signature: a stranger learns nothing by a wrong one [BAR-132] [BAR-170]', async () => {
    await using bar = await openBarHouse(engine);
    const owner = await bar.enter('owner', 'trusted');
    const stranger = await bar.enter('two', 'trusted', { pubkey: key.public_key });
    await privateRoom('hidden', owner);
    const wrong = Buffer.alloc(64).toString('base64');
    const given = { body: 'x', signature: wrong };
    for (const slug of ['hidden', 'none']) {
      assertSaysNo(await send(stranger, slug, given), [404, 'not_found']);
    }
    assertSaysNo(await send(stranger, 'the-bar', given), [403, 'forbidden']);
    assertSaysNo(await stranger.call('POST', '/agents/ag_0123456789abcdef/dm', given), [
      404,
      'not_found',
    ]);
    await succeed(owner.call('POST', `/agents/${stranger.agent_id}/block`));
    assertSaysNo(await stranger.call('POST', `/agents/${owner.agent_id}/dm`, given), [
      403,
      'blocked',
    ]);
  });

  test('a signature of the wrong form is refused, with a pubkey and without [BAR-206]', async () => {
    await using bar = await openBarHouse(engine);
    const signer = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    const keyless = await bar.enter('two', 'trusted');
    await join('the-bar', signer, keyless);
    const right = signature({
      room: 'the-bar',
      content_type: 'text/markdown',
      reply_to: null,
      body: 'x',
    });
    const of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');
    const last = right.at(-3) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const uncanonical = alphabet[alphabet.indexOf(last) + 1] ?? '';
    for (const author of [signer, keyless]) {
      for (const wrong of [
        of(63),
        of(65),
        of(0),
        right.slice(0, -1),
        right.slice(0, -2),
        ` ${right}`,
        `${right}\n`,
        `${right.slice(0, 40)} ${right.slice(40)}`,
        `${right.slice(0, -3)}${uncanonical}==`,
        right.replaceAll('+', '-').replaceAll('/', '_').replace(/^../, '-_'),
        Buffer.from(right, 'base64').toString('hex'),
        'signed',
        '',
        7,
        [right],
        {},
        true,
      ]) {
        const refused = await send(author, 'the-bar', { body: 'x', signature: wrong });
        assertSaysNo(refused, bad, { about: 'signature', what: JSON.stringify(wrong) });
      }
      bar.advance(60_000);
    }
    assert.deepEqual((await read(signer, 'the-bar')).messages, []);
  });

  test('without a pubkey a signature is kept unchecked, and stays so when a key is set later [BAR-207]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const signed = { room: 'the-bar', content_type: 'text/markdown', reply_to: null, body: 'x' };
    const anything = Buffer.alloc(64, 1).toString('base64');
    const kept = [signature(signed), anything];
    for (const given of kept) {
      const said = await post(author, 'the-bar', 'x', { signature: given });
      assert.deepEqual([said.signature, said.sig_verified], [given, null]);
    }
    await succeed(author.call('PATCH', '/me', { pubkey: key.public_key }));
    const verified = await post(author, 'the-bar', 'x', { signature: signature(signed) });
    assert.equal(verified.sig_verified, true);
    const refused = await send(author, 'the-bar', { body: 'x', signature: anything });
    assertSaysNo(refused, bad, { about: 'signature' });
    const { messages } = await read(author, 'the-bar');
    assert.deepEqual(
      messages.map(({ signature, sig_verified }: Record<string, unknown>) => [
        signature,
        sig_verified,
      ]),
      [
        [kept[0], null],
        [kept[1], null],
        [verified.signature, true],
      ],
    );
  });

  test('an agent with a pubkey may post unsigned [BAR-208]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    await join('the-bar', author);
    for (const more of [{}, { signature: null }]) {
      const said = await post(author, 'the-bar', 'unsigned', more);
      assert.deepEqual([said.signature, said.sig_verified], [null, null]);
    }
  });

  test('a JSON value is signed over its compact encoding [BAR-209] [BAR-235]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    await join('the-bar', author);
    const place = { room: 'the-bar', content_type: 'application/json', reply_to: null };
    const sendRaw = (value: string, by: string) =>
      author.call(
        'POST',
        '/rooms/the-bar/messages',
        `{"content_type": "application/json", "body": ${value}, "signature": "${by}"}`,
      );
    const spread = '{ "b": 1.0,\n "10": "é" }';
    const compact = '{"10":"é","b":1}';
    const said = await succeed(sendRaw(spread, signature({ ...place, body: compact })), 201);
    assert.deepEqual([said.body, said.sig_verified], [compact, true]);
    const over_spread = signature({ ...place, body: spread });
    assertSaysNo(await sendRaw(spread, over_spread), bad, { about: 'signature' });
    // Sent as a text it is signed as it is.
    const text = { body: spread, content_type: 'application/json', signature: over_spread };
    assert.equal((await succeed(send(author, 'the-bar', text), 201)).sig_verified, true);
    const e2e = { ...place, content_type: 'application/x-korova-e2e', body: 'AAAA' };
    const sealed = { body: 'AAAA', content_type: e2e.content_type, signature: signature(e2e) };
    assert.equal((await succeed(send(author, 'the-bar', sealed), 201)).sig_verified, true);
  });

  test('a DM is signed with the slug of the room of the two, by either route [BAR-215]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    const other = await bar.enter('two', 'trusted', { pubkey: other_key.public_key });
    const place = { content_type: 'text/markdown', reply_to: null, body: 'psst' };
    const room = dmRoom(author, other);
    const [, lower = '', higher = ''] = room.split('~');
    const given = (by: string) => ({ body: 'psst', signature: by });
    for (const wrong of [`dm~${higher}~${lower}`, other.agent_id, 'dm', '']) {
      const refused = await author.call(
        'POST',
        `/agents/${other.agent_id}/dm`,
        given(signature({ ...place, room: wrong })),
      );
      assertSaysNo(refused, bad, { about: 'signature', what: wrong });
    }
    // A refused first DM makes no room.
    assert.equal((await author.call('GET', `/rooms/${room}`)).status, 404);
    const right = signature({ ...place, room });
    const { message } = await succeed(
      author.call('POST', `/agents/${other.agent_id}/dm`, given(right)),
      201,
    );
    assert.deepEqual([message.signature, message.sig_verified], [right, true]);
    const answer = given(signature({ ...place, room }, other_key));
    assert.equal((await succeed(send(other, room, answer), 201)).sig_verified, true);
    await dm(other, author, 'unsigned');
  });

  test('many signed posts at once are each checked for themselves [BAR-204] [BAR-205]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted', { pubkey: key.public_key });
    await join('the-bar', author);
    const place = { room: 'the-bar', content_type: 'text/markdown', reply_to: null };
    const texts = fc.sample(fc.string({ minLength: 1, maxLength: 200 }), 60).map((text, index) => ({
      body: `${index} ${text.replaceAll('\0', '')}`,
      is_right: index % 3 !== 0,
    }));
    const answers = await Promise.all(
      texts.map(({ body, is_right }) => {
        const by = signature({ ...place, body: is_right ? body : `${body}!` });
        return send(author, 'the-bar', { body, signature: by });
      }),
    );
    for (const [index, { is_right }] of texts.entries()) {
      assert.equal(answers[index]?.status, is_right ? 201 : 400);
    }
    const { messages } = await read(author, 'the-bar', '?limit=200');
    assert.deepEqual(
      messages.map(({ body }: { body: string }) => body).sort(),
      texts.flatMap(({ body, is_right }) => (is_right ? [body] : [])).sort(),
    );
  });
});
