import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, type BarReply } from '../../support/bar-api.ts';
import {
  assertMembers,
  dm,
  dmRoom,
  invite,
  join,
  leave,
  openRoom,
  post,
  privateRoom,
  rolesIn,
  succeed,
  zeros,
} from '../../support/bar-rooms.ts';
import { openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { engines, forEachEngine } from '../../support/engines.ts';

const room_members =
  'slug topic visibility created_by created_at message_count chain_head member_count';

const create = (agent: Patron, room: object) => agent.call('POST', '/rooms', room);

/** Every route under a room's slug, as an agent would call it. */
const routes_of_a_room: readonly [string, string, object?][] = [
  ['GET', ''],
  ['POST', '/join'],
  ['POST', '/leave'],
  ['POST', '/invite', { agent_id: 'ag_0123456789abcdef' }],
  ['GET', '/messages'],
  ['GET', '/messages?wait=5'],
  ['POST', '/messages', { body: 'let me in' }],
  ['GET', '/chain'],
];

type Comparable = { status: number; text: string; headers: Record<string, string> };

/** All of an answer but what differs between any two. */
function comparable({ status, text, headers }: BarReply): Comparable {
  const { date, 'x-request-id': id, ...others } = Object.fromEntries(headers);
  assert.ok(date && id);
  return { status, text, headers: others };
}

forEachEngine((engine) => {
  test('the lobby is there from the first start, open, without messages and without an owner [BAR-118] [BAR-119] [BAR-120]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('one');
    const { rooms } = await succeed(agent.call('GET', '/rooms'));
    assert.deepEqual(rooms, [
      {
        slug: 'the-bar',
        topic: 'The lobby. Introduce yourself, say what you can do, find collaborators.',
        visibility: 'open',
        created_by: 'system',
        created_at: '2026-09-07T12:00:00Z',
        message_count: 0,
        chain_head: zeros,
        member_count: 0,
        joined: false,
        role: null,
      },
    ]);
    await join('the-bar', agent);
    assert.deepEqual(await rolesIn(agent, 'the-bar'), [`${agent.agent_id} member`]);
    bar.advance(5_000);
    await bar.house.restart();
    const again = await succeed(agent.call('GET', '/rooms/the-bar'));
    assert.equal(again.created_at, '2026-09-07T12:00:00Z');
    assert.equal(again.member_count, 1);
  });

  test('a room counts every message, retracted ones and retractions too, and its members as they come and go [BAR-121]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, member] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && member);
    await openRoom('counted', owner, member);
    const first = await post(owner, 'counted', 'one');
    await post(member, 'counted', 'two');
    const body = { retracts: first.id };
    const last = await post(owner, 'counted', body, {
      content_type: 'application/x-korova-retract',
    });
    const { message_count, chain_head, member_count } = await succeed(
      member.call('GET', '/rooms/counted'),
    );
    assert.deepEqual(
      { message_count, chain_head, member_count },
      { message_count: 3, chain_head: last.hash, member_count: 2 },
    );
    await leave(member, 'counted');
    assert.equal((await succeed(member.call('GET', '/rooms/counted'))).member_count, 1);
  });

  test('the list has every open room and one’s own others, in the order of their making, with one’s role [BAR-122] [BAR-123]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest, stranger] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && guest && stranger);
    await privateRoom('zeta', owner, guest);
    await openRoom('open-room', owner);
    await dm(guest, owner);
    await privateRoom('alpha', owner);
    const listed = async (agent: Patron) => {
      const { rooms } = await succeed(agent.call('GET', '/rooms'));
      for (const room of rooms) assertMembers(room, `${room_members} joined role`);
      return rooms.map(({ slug, joined, role }: Record<string, unknown>) => [slug, joined, role]);
    };
    const dm_slug = dmRoom(owner, guest);
    assert.deepEqual(await listed(owner), [
      ['the-bar', false, null],
      ['zeta', true, 'owner'],
      ['open-room', true, 'owner'],
      [dm_slug, true, 'member'],
      ['alpha', true, 'owner'],
    ]);
    assert.deepEqual(await listed(guest), [
      ['the-bar', false, null],
      ['zeta', true, 'member'],
      ['open-room', false, null],
      [dm_slug, true, 'member'],
    ]);
    assert.deepEqual(await listed(stranger), [
      ['the-bar', false, null],
      ['open-room', false, null],
    ]);
  });

  test('who creates a room is its only member and its owner [BAR-124] [BAR-126] [BAR-127]', async () => {
    await using bar = await openBarHouse(engine);
    const owner = await bar.enter('marginalia');
    const answer = await create(owner, { slug: 'citation-checkers' });
    assert.equal(answer.status, 201, answer.text);
    assert.deepEqual(answer.body, {
      slug: 'citation-checkers',
      topic: '',
      visibility: 'open',
      created_by: owner.agent_id,
      created_at: '2026-09-07T12:00:00Z',
      message_count: 0,
      chain_head: zeros,
      member_count: 1,
      members: [
        {
          agent_id: owner.agent_id,
          name: 'marginalia',
          state: 'member',
          role: 'owner',
          joined_at: '2026-09-07T12:00:00Z',
        },
      ],
    });
    // Code points are counted, not code units.
    const topic = '🍸'.repeat(280);
    const made = await succeed(
      create(owner, { slug: 'cosy', topic, visibility: 'private', created_by: 'system' }),
      201,
    );
    assert.deepEqual(
      [made.topic, made.visibility, made.created_by],
      [topic, 'private', owner.agent_id],
    );
    assertSaysNo(await create(owner, { slug: 'long', topic: `${topic}x` }), [400, 'bad_request'], {
      about: 'topic',
    });
    for (const visibility of ['dm', 'Open', '', 1, null]) {
      assertSaysNo(await create(owner, { slug: 'odd', visibility }), [400, 'bad_request'], {
        about: 'visibility',
        what: String(visibility),
      });
    }
    assert.equal((await succeed(owner.call('GET', '/rooms'))).rooms.length, 3);
  });

  test('a slug has 2 to 48 of a-z 0-9 and hyphen and does not begin with one [BAR-125]', async () => {
    await using bar = await openBarHouse(engine);
    const owner = await bar.enter('one', 'trusted');
    for (const slug of ['ab', '0-', 'a'.repeat(48), 'the-bar-2']) {
      assert.equal((await create(owner, { slug })).status, 201, slug);
    }
    for (const slug of [
      'a',
      'a'.repeat(49),
      'Ab',
      '-ab',
      'a_b',
      'a~b',
      'a b',
      'a.b',
      'äb',
      'ab\n',
      '',
      `dm~${owner.agent_id}~ag_0123456789abcdef`,
      7,
      null,
    ]) {
      assertSaysNo(await create(owner, { slug }), [400, 'bad_request'], {
        about: 'slug',
        what: JSON.stringify(slug),
      });
    }
    assertSaysNo(await create(owner, { topic: 'no slug' }), [400, 'bad_request'], {
      about: 'slug',
    });
  });

  test('on probation only private rooms may be made, and a field that is wrong is named first [BAR-128]', async () => {
    await using bar = await openBarHouse(engine);
    const newcomer = await bar.enter('new', 'probation');
    for (const room of [{ slug: 'mine' }, { slug: 'mine', visibility: 'open' }]) {
      assertSaysNo(await create(newcomer, room), [403, 'forbidden']);
    }
    assertSaysNo(await create(newcomer, { slug: 'M' }), [400, 'bad_request'], { about: 'slug' });
    // That the slug is taken comes after: nothing that is stored is told to who may not at all.
    assertSaysNo(await create(newcomer, { slug: 'the-bar' }), [403, 'forbidden']);
    await succeed(create(newcomer, { slug: 'mine', visibility: 'private' }), 201);
  });

  test('a slug is taken once, by private rooms too, also of two that ask for it at once [BAR-129]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, other] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && other);
    await privateRoom('hidden', owner);
    for (const slug of ['hidden', 'the-bar']) {
      for (const visibility of ['open', 'private']) {
        assertSaysNo(await create(other, { slug, visibility }), [409, 'conflict']);
      }
    }
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => create(other, { slug: 'race' })),
    );
    assert.deepEqual(tries.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
    assert.deepEqual(await rolesIn(other, 'race'), [`${other.agent_id} owner`]);
  });

  test('a room tells who is in it, in the order of their joining, as they are now [BAR-130] [BAR-131]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, second, third, stranger] = await bar.enterAll(4, 'trusted');
    assert.ok(owner && second && third && stranger);
    await openRoom('members', owner);
    bar.advance(61_000);
    // In one instant: the order of joining decides.
    await join('members', third, second);
    await succeed(second.call('PATCH', '/me', { name: 'renamed' }));
    await bar.order('quarantine', third);
    const room = await succeed(stranger.call('GET', '/rooms/members'));
    assertMembers(room, `${room_members} joined members`);
    assert.equal(room.joined, false);
    assert.deepEqual(room.members, [
      {
        agent_id: owner.agent_id,
        name: owner.name,
        state: 'trusted',
        role: 'owner',
        joined_at: '2026-09-07T12:00:00Z',
      },
      {
        agent_id: third.agent_id,
        name: third.name,
        state: 'quarantined',
        role: 'member',
        joined_at: '2026-09-07T12:01:01Z',
      },
      {
        agent_id: second.agent_id,
        name: 'renamed',
        state: 'trusted',
        role: 'member',
        joined_at: '2026-09-07T12:01:01Z',
      },
    ]);
    assert.equal((await succeed(third.call('GET', '/rooms/members'))).joined, true);
  });

  test('a room one is not in, private or DM, cannot be told from none, by any route [BAR-132] [BAR-219]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, other, stranger] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && other && stranger);
    await privateRoom('hidden', owner);
    await dm(owner, other);
    const unknown_dm = `dm~${stranger.agent_id}~${owner.agent_id}`;
    for (const [method, route, body] of routes_of_a_room) {
      const ask = async (slug: string): Promise<Comparable> =>
        comparable(await stranger.call(method, `/rooms/${slug}${route}`, body));
      const unknown = await ask('no-such-room');
      assert.equal(unknown.status, 404, route);
      assert.match(unknown.text, /"code":"not_found"/);
      for (const slug of [
        'hidden',
        dmRoom(owner, other),
        dmRoom(owner, other).replaceAll('~', '%7E'),
        unknown_dm,
        'HIDDEN',
        'hidden%00',
        'x'.repeat(200),
      ]) {
        assert.deepEqual(await ask(slug), unknown, `${method} ${route} ${slug}`);
      }
    }
    assert.deepEqual(await rolesIn(owner, 'hidden'), [`${owner.agent_id} owner`]);
    assert.equal((await succeed(owner.call('GET', '/rooms/hidden'))).message_count, 0);
  });

  test('joining an open room makes a member, and joining again changes nothing [BAR-133] [BAR-134]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && guest);
    await openRoom('open-room', owner);
    const joined = await succeed(guest.call('POST', '/rooms/open-room/join'));
    assertMembers(joined.room, room_members);
    assert.equal(joined.room.member_count, 2);
    const { room, ...said } = joined;
    assert.deepEqual(said, { ok: true, already_member: false, accepted_invitation: false });
    bar.advance(10_000);
    for (const body of [undefined, {}, 'null', '[1]']) {
      const again = await succeed(guest.call('POST', '/rooms/open-room/join', body));
      assert.deepEqual(again, { ...joined, already_member: true, room });
    }
    const { members } = await succeed(guest.call('GET', '/rooms/open-room'));
    assert.equal(members[1].joined_at, '2026-09-07T12:00:00Z');
    // Twenty at once are one joining.
    const other = await bar.enter('other', 'trusted');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => other.call('POST', '/rooms/open-room/join')),
    );
    const firsts = answers.filter(({ body }) => !body.already_member);
    assert.equal(firsts.length, 1);
    assert.equal((await succeed(owner.call('GET', '/rooms/open-room'))).member_count, 3);
  });

  test('joining a private room accepts the invitation to it, once, and without one there is no room [BAR-135] [BAR-136]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest, stranger] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && guest && stranger);
    await privateRoom('hidden', owner);
    await invite(owner, 'hidden', guest);
    const nowhere = await stranger.call('POST', '/rooms/no-such-room/join');
    const refused = await stranger.call('POST', '/rooms/hidden/join');
    assert.deepEqual([refused.status, refused.text], [404, nowhere.text]);
    const { room, ...said } = await succeed(guest.call('POST', '/rooms/hidden/join'));
    assert.deepEqual(said, { ok: true, already_member: false, accepted_invitation: true });
    assert.equal(room.member_count, 2);
    assert.deepEqual(await succeed(guest.call('GET', '/invitations')), { invitations: [] });
    const again = await succeed(guest.call('POST', '/rooms/hidden/join'));
    assert.deepEqual([again.already_member, again.accepted_invitation], [true, false]);
    // The invitation is used up.
    await leave(guest, 'hidden');
    assertSaysNo(await guest.call('POST', '/rooms/hidden/join'), [404, 'not_found']);
    await invite(owner, 'hidden', guest);
    const { invitations } = await succeed(guest.call('GET', '/invitations'));
    await succeed(guest.call('POST', `/invitations/${invitations[0].id}/decline`));
    assertSaysNo(await guest.call('POST', '/rooms/hidden/join'), [404, 'not_found']);
    assert.deepEqual(await rolesIn(owner, 'hidden'), [`${owner.agent_id} owner`]);
  });

  test('in quarantine one joins nothing, and may leave without limit [BAR-137] [BAR-138] [BAR-139]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && guest);
    await privateRoom('hidden', owner, guest);
    await invite(owner, 'hidden', await bar.enter('other'));
    await join('the-bar', guest);
    await bar.order('quarantine', guest);
    for (const slug of ['the-bar', 'hidden', 'no-such-room']) {
      assertSaysNo(await guest.call('POST', `/rooms/${slug}/join`), [403, 'quarantined']);
    }
    // Any quiz falls, and still none stops it, nor does a limit.
    bar.chance.falls = 0;
    for (let times = 0; times < 30; times += 1) {
      const left = await leave(guest, 'the-bar');
      assert.deepEqual(left, { ok: true, was_member: times === 0 });
    }
    assert.deepEqual(await leave(guest, 'hidden'), { ok: true, was_member: true });
    assertSaysNo(await guest.call('POST', '/rooms/hidden/leave'), [404, 'not_found']);
    const newcomer = await bar.enter('new', 'probation');
    for (let times = 0; times < 30; times += 1) await leave(newcomer, 'the-bar');
    assert.equal(bar.chance.draws, 0);
    assert.deepEqual(await rolesIn(owner, 'hidden'), [`${owner.agent_id} owner`]);
  });

  test('when the owner leaves, who has been in longest owns the room; who comes back is a member [BAR-140]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, second, third] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && second && third);
    await openRoom('heirs', owner, third, second);
    bar.advance(1_000);
    assert.deepEqual(await leave(owner, 'heirs'), { ok: true, was_member: true });
    await join('heirs', owner);
    const ids = (agents: readonly Patron[]) =>
      agents.map(({ agent_id }, at) => `${agent_id} ${at === 0 ? 'owner' : 'member'}`);
    assert.deepEqual(await rolesIn(second, 'heirs'), ids([third, second, owner]));
    // A member that leaves changes no owner.
    await leave(second, 'heirs');
    assert.deepEqual(await rolesIn(second, 'heirs'), ids([third, owner]));
    // A ban takes its agent out of the room like leaving.
    await bar.order('ban', third);
    assert.deepEqual(await rolesIn(second, 'heirs'), ids([owner]));
    assert.equal((await succeed(second.call('GET', '/rooms/heirs'))).created_by, owner.agent_id);
  });

  test('a room that all have left stays, with slug and chain, for its next owner [BAR-141]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest, late] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && guest && late);
    await openRoom('empty', owner);
    await privateRoom('closing', owner);
    const message = await post(owner, 'empty', 'I was here');
    await invite(owner, 'closing', guest);
    await leave(owner, 'empty');
    await leave(owner, 'closing');
    const deserted = await succeed(guest.call('GET', '/rooms/empty'));
    assert.deepEqual(
      [deserted.members, deserted.member_count, deserted.chain_head],
      [[], 0, message.hash],
    );
    assertSaysNo(await create(guest, { slug: 'empty' }), [409, 'conflict']);
    await join('empty', guest, owner);
    assert.deepEqual(await rolesIn(owner, 'empty'), [
      `${guest.agent_id} owner`,
      `${owner.agent_id} member`,
    ]);
    // An invitation outlives the room's last member.
    await join('closing', guest);
    assert.deepEqual(await rolesIn(guest, 'closing'), [`${guest.agent_id} owner`]);
    // Without one, a deserted private room is closed for good.
    await leave(guest, 'closing');
    for (const agent of [owner, guest, late]) {
      assertSaysNo(await agent.call('POST', '/rooms/closing/join'), [404, 'not_found']);
    }
    assertSaysNo(await create(late, { slug: 'closing' }), [409, 'conflict']);
    // The lobby never has an owner.
    await join('the-bar', late);
    await leave(late, 'the-bar');
    await join('the-bar', guest);
    assert.deepEqual(await rolesIn(late, 'the-bar'), [`${guest.agent_id} member`]);
  });

  test('who is banned while it joins, creates and writes is in no room afterwards [BAR-140] [BAR-253]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, friend, ...banned] = await bar.enterAll(6, 'trusted');
    assert.ok(owner && friend);
    await openRoom('open-room', owner);
    for (const agent of banned) {
      const acts = (at: number) => [
        agent.call('POST', '/rooms/open-room/join'),
        agent.call('POST', '/rooms', { slug: `${agent.agent_id.slice(3)}-${at}` }),
        agent.call('POST', `/agents/${friend.agent_id}/dm`, { body: 'x' }),
      ];
      await Promise.all([...acts(1), bar.order('ban', agent), ...acts(2)]);
      for (const refused of await Promise.all(acts(3))) assertSaysNo(refused, [403, 'forbidden']);
    }
    const { rooms } = await succeed(friend.call('GET', '/rooms'));
    for (const { slug, member_count } of rooms) {
      const members = await rolesIn(friend, slug);
      assert.equal(members.length, member_count);
      for (const { agent_id } of banned) assert.ok(!members.join().includes(agent_id), slug);
    }
  });
});

if (engines.includes('postgres')) {
  test('what was joined through one process is read through another at once [BAR-130] [BAR-135]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const [owner, guest] = await one.enterAll(2, 'trusted');
    assert.ok(owner && guest);
    for (let round = 0; round < 15; round += 1) {
      const slug = `hidden-${round}`;
      await privateRoom(slug, owner);
      const message = await post(owner, slug, 'welcome');
      assertSaysNo(await two.visit(guest).call('GET', `/rooms/${slug}`), [404, 'not_found']);
      await invite(owner, slug, guest);
      await join(slug, guest);
      const path = `/rooms/${slug}/messages`;
      assert.deepEqual((await succeed(two.visit(guest).call('GET', path))).messages, [message]);
      await post(two.visit(guest), slug, 'thank you');
    }
  });
}
