import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  assertMembers,
  block,
  dm,
  dmRoom,
  leave,
  post,
  read,
  rolesIn,
  succeed,
  zeros,
} from '../../support/bar-rooms.ts';
import { answering, openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const send = (from: Patron, to: string, body: unknown = { body: 'hello' }) =>
  from.call('POST', `/agents/${to}/dm`, body);

forEachEngine((engine) => {
  test('a DM answers its room and the message, and makes the room at first use [BAR-211] [BAR-212] [BAR-213]', async () => {
    await using bar = await openBarHouse(engine);
    const one = await bar.enter('one', 'trusted', { agent_id: 'ag_00000000000000ff' });
    const two = await bar.enter('two', 'trusted', { agent_id: 'ag_0000000000000fff' });
    // Plain string order, not that of numbers or of who writes first.
    const slug = 'dm~ag_00000000000000ff~ag_0000000000000fff';
    assertSaysNo(await two.call('GET', `/rooms/${slug}`), [404, 'not_found']);
    const first = await dm(two, one, 'hello');
    assertMembers(first, 'room message');
    assert.deepEqual(first.room, {
      slug,
      topic: '',
      visibility: 'dm',
      created_by: two.agent_id,
      created_at: '2026-09-07T12:00:00Z',
      message_count: 1,
      chain_head: first.message.hash,
      member_count: 2,
    });
    assert.deepEqual(first.message, {
      id: first.message.id,
      room: slug,
      author: { agent_id: two.agent_id, name: 'two', state: 'trusted' },
      content_type: 'text/markdown',
      body: 'hello',
      reply_to: null,
      retracts: null,
      retracted_by: null,
      signature: null,
      sig_verified: null,
      prev_hash: zeros,
      hash: first.message.hash,
      created_at: '2026-09-07T12:00:00Z',
    });
    bar.advance(5_000);
    const second = await succeed(
      send(one, two.agent_id, {
        body: { a: 1 },
        content_type: 'application/json',
        reply_to: first.message.id,
      }),
      201,
    );
    assert.deepEqual(second.room, {
      ...first.room,
      message_count: 2,
      chain_head: second.message.hash,
    });
    assert.deepEqual(
      [second.message.body, second.message.reply_to, second.message.prev_hash],
      ['{"a":1}', first.message.id, first.message.hash],
    );
    assert.deepEqual(
      (await rolesIn(one, slug)).sort(),
      [`${one.agent_id} member`, `${two.agent_id} member`].sort(),
    );
  });

  test('twenty first DMs at once, both ways, make one room [BAR-212] [BAR-213]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two] = await bar.enterAll(2, 'trusted');
    assert.ok(one && two);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? dm(one, two, `${index}`) : dm(two, one, `${index}`),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ room }) => room.slug)), new Set([dmRoom(one, two)]));
    const room = await succeed(one.call('GET', `/rooms/${dmRoom(one, two)}`));
    assert.deepEqual([room.message_count, room.member_count], [20, 2]);
    assert.equal((await succeed(two.call('GET', '/rooms'))).rooms.length, 2);
  });

  test('a DM, by either route, brings back who has left [BAR-213] [BAR-214]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two] = await bar.enterAll(2, 'trusted');
    assert.ok(one && two);
    const { room } = await dm(one, two, 'first');
    const path = `/rooms/${room.slug}`;
    assert.equal((await post(two, room.slug, 'by the room')).room, room.slug);
    assert.deepEqual(await leave(two, room.slug), { ok: true, was_member: true });
    for (const [method, route] of [
      ['GET', ''],
      ['POST', '/join'],
      ['POST', '/leave'],
      ['GET', '/messages'],
    ] as const) {
      assertSaysNo(await two.call(method, `${path}${route}`), [404, 'not_found']);
    }
    assertSaysNo(await two.call('POST', `${path}/messages`, { body: 'x' }), [404, 'not_found']);
    assert.equal((await succeed(one.call('GET', path))).member_count, 1);
    // By posting to the room.
    await post(one, room.slug, 'come back');
    const bodies = async (reader: Patron) =>
      (await read(reader, room.slug)).messages.map(({ body }: { body: string }) => body);
    assert.deepEqual(await bodies(two), ['first', 'by the room', 'come back']);
    // By a DM, which brings back its sender too.
    await leave(one, room.slug);
    await leave(two, room.slug);
    assert.equal((await dm(one, two, 'both back')).room.member_count, 2);
    assert.equal((await bodies(two)).length, 4);
    const joined = await succeed(two.call('POST', `${path}/join`));
    assert.deepEqual([joined.already_member, joined.accepted_invitation], [true, false]);
  });

  test('a DM to oneself is refused by its form, to whom there is not by what is stored [BAR-216]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('one', 'trusted');
    assertSaysNo(await send(agent, agent.agent_id), [400, 'bad_request'], { about: 'id' });
    for (const id of ['ag_0123456789abcdef', 'ag_1', 'x', agent.agent_id.toUpperCase(), '%00']) {
      assertSaysNo(await send(agent, id), [404, 'not_found'], { what: id });
    }
    // The message is looked at first, and what is too large is too large for anybody.
    assertSaysNo(await send(agent, agent.agent_id, {}), [400, 'bad_request'], { about: 'body' });
    assertSaysNo(await send(agent, agent.agent_id, { body: 'x'.repeat(16_385) }), [
      413,
      'payload_too_large',
    ]);
    // The quiz stands between form and store.
    const newcomer = await bar.enter('new', 'probation');
    bar.chance.falls = 0;
    assertSaysNo(await send(newcomer, newcomer.agent_id), [400, 'bad_request'], { about: 'id' });
    assert.equal((await send(newcomer, 'ag_0123456789abcdef')).status, 428);
  });

  test('blocks stop DMs, by either route, one’s own block first [BAR-217]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two, three] = await bar.enterAll(3, 'trusted');
    assert.ok(one && two && three);
    await dm(one, two, 'before');
    const slug = dmRoom(one, two);
    const byRoom = (from: Patron) => from.call('POST', `/rooms/${slug}/messages`, { body: 'x' });
    await block(two, one);
    for (const refused of [await send(one, two.agent_id), await byRoom(one)]) {
      assertSaysNo(refused, [403, 'blocked']);
    }
    for (const refused of [await send(two, one.agent_id), await byRoom(two)]) {
      const { hint } = assertSaysNo(refused, [409, 'conflict']);
      assert.ok(hint.includes(`DELETE /bar/api/v1/agents/${one.agent_id}/block`), hint);
    }
    // Both have blocked: each learns of its own.
    await block(one, two);
    for (const refused of [await send(one, two.agent_id), await byRoom(one)]) {
      assertSaysNo(refused, [409, 'conflict']);
    }
    // Who has left is not brought back by what is refused, and sees no room to post to.
    await leave(one, slug);
    assertSaysNo(await byRoom(one), [404, 'not_found']);
    assertSaysNo(await send(two, one.agent_id), [409, 'conflict']);
    assertSaysNo(await one.call('GET', `/rooms/${slug}`), [404, 'not_found']);
    // A first DM between the two makes no room either.
    await block(three, one);
    assertSaysNo(await send(one, three.agent_id), [403, 'blocked']);
    assertSaysNo(await three.call('GET', `/rooms/${dmRoom(one, three)}`), [404, 'not_found']);
    await succeed(one.call('DELETE', `/agents/${two.agent_id}/block`));
    await succeed(two.call('DELETE', `/agents/${one.agent_id}/block`));
    assert.equal((await dm(one, two, 'after')).room.message_count, 2);
  });

  test('a banned agent is written to no more, and blocks are told before [BAR-217] [BAR-253]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two] = await bar.enterAll(2, 'trusted');
    assert.ok(one && two);
    const { message } = await dm(two, one, 'before');
    await bar.order('ban', two);
    const slug = dmRoom(one, two);
    assertSaysNo(await send(one, two.agent_id), [409, 'conflict']);
    assertSaysNo(await one.call('POST', `/rooms/${slug}/messages`, { body: 'x' }), [
      409,
      'conflict',
    ]);
    const { messages } = await read(one, slug);
    assert.deepEqual(messages, [{ ...message, author: { ...message.author, state: 'banned' } }]);
    await block(one, two);
    const { message: said } = assertSaysNo(await send(one, two.agent_id), [409, 'conflict']);
    assert.match(said, /blocked/);
  });

  test('an agent on probation may DM anybody that has not blocked it [BAR-218]', async () => {
    await using bar = await openBarHouse(engine);
    const newcomer = await bar.enter('new', 'probation');
    for (const standing of ['probation', 'member', 'trusted', 'quarantined'] as const) {
      const other = await bar.enter(`a ${standing}`, standing);
      assert.equal((await dm(newcomer, other, 'hello')).message.author.state, 'probation');
    }
    // A DM is a write: quizzed, limited, and closed in quarantine.
    const other = await bar.enter('other');
    bar.chance.falls = 0;
    const stopped = await send(newcomer, other.agent_id);
    assert.equal(stopped.status, 428, stopped.text);
    assertSaysNo(await other.call('GET', `/rooms/${dmRoom(newcomer, other)}`), [404, 'not_found']);
    const headers = answering(stopped);
    const path = `/agents/${other.agent_id}/dm`;
    await succeed(newcomer.call('POST', path, { body: 'hello' }, headers), 201);
    await bar.order('quarantine', newcomer);
    assertSaysNo(await send(newcomer, other.agent_id), [403, 'quarantined']);
  });

  test('nobody but the two sees a DM room, and the two are only two [BAR-219]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two, three] = await bar.enterAll(3, 'trusted');
    assert.ok(one && two && three);
    const { message } = await dm(one, two, 'secret');
    const slug = dmRoom(one, two);
    for (const [method, route, body] of [
      ['GET', '', undefined],
      ['POST', '/join', undefined],
      ['POST', '/leave', undefined],
      ['POST', '/invite', { agent_id: one.agent_id }],
      ['GET', '/messages', undefined],
      ['POST', '/messages', { body: 'x' }],
      ['GET', '/chain', undefined],
    ] as const) {
      assertSaysNo(await three.call(method, `/rooms/${slug}${route}`, body), [404, 'not_found']);
    }
    assert.deepEqual((await succeed(three.call('GET', '/inbox'))).messages, []);
    assertSaysNo(await three.flag(message.id), [404, 'not_found']);
    await dm(three, one, 'mine');
    const refused = await three.call('POST', `/rooms/${dmRoom(one, three)}/messages`, {
      body: 'x',
      reply_to: message.id,
    });
    assertSaysNo(refused, [400, 'bad_request'], { about: 'reply_to' });
    // Nor can one of the two bring in a third.
    const invited = await one.call('POST', `/rooms/${slug}/invite`, { agent_id: three.agent_id });
    assertSaysNo(invited, [400, 'bad_request']);
    assert.equal((await rolesIn(one, slug)).length, 2);
  });
});
