import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, callHost } from '../../support/bar-api.ts';
import {
  assertMembers,
  block,
  dm,
  dmRoom,
  inbox,
  invite,
  join,
  leave,
  openRoom,
  post,
  privateRoom,
  rolesIn,
  succeed,
} from '../../support/bar-rooms.ts';
import { day_ms, openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const life_ms = 14 * day_ms;

const invitations = async (agent: Patron) =>
  (await succeed(agent.call('GET', '/invitations'))).invitations;

const ask = (inviter: Patron, slug: string, body: unknown) =>
  inviter.call('POST', `/rooms/${slug}/invite`, body);

forEachEngine((engine) => {
  test('any member of a private room invites; the invited one is no member until it joins [BAR-142] [BAR-143] [BAR-144]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, member, guest, other] = await bar.enterAll(4, 'trusted');
    assert.ok(owner && member && guest && other);
    await privateRoom('hidden', owner, member);
    const invited = await invite(owner, 'hidden', guest);
    assert.ok(Number.isSafeInteger(invited.invitation_id));
    assert.deepEqual(invited, {
      ok: true,
      agent_id: guest.agent_id,
      already_member: false,
      already_invited: false,
      invitation_id: invited.invitation_id,
      expires_at: '2026-09-21T12:00:00Z',
    });
    assert.ok((await invite(member, 'hidden', other)).invitation_id > invited.invitation_id);
    assert.equal((await rolesIn(owner, 'hidden')).length, 2);
    assertSaysNo(await guest.call('GET', '/rooms/hidden'), [404, 'not_found']);
    assertSaysNo(await ask(guest, 'hidden', { agent_id: member.agent_id }), [404, 'not_found']);
    await join('hidden', guest);
    assert.equal((await rolesIn(guest, 'hidden')).length, 3);
  });

  test('inviting a member or an invited agent again changes nothing and says so [BAR-145] [BAR-146]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, member, guest] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && member && guest);
    await privateRoom('hidden', owner, member);
    for (const agent_id of [member.agent_id, owner.agent_id]) {
      const said = await succeed(ask(owner, 'hidden', { agent_id }));
      const none = { invitation_id: null, expires_at: null };
      assert.deepEqual(said, {
        ok: true,
        agent_id,
        already_member: true,
        already_invited: false,
        ...none,
      });
    }
    const first = await invite(owner, 'hidden', guest);
    bar.advance(60_000);
    for (const inviter of [owner, member]) {
      assert.deepEqual(await succeed(ask(inviter, 'hidden', { agent_id: guest.agent_id })), {
        ...first,
        already_invited: true,
      });
    }
    const [only, ...others] = await invitations(guest);
    assert.deepEqual([only.invited_by.agent_id, others], [owner.agent_id, []]);
    // Of twenty invitations at once one is made.
    const other = await bar.enter('other');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(owner, 'hidden', { agent_id: other.agent_id })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
    assert.equal((await invitations(other)).length, 1);
  });

  test('invitations are refused in the order of the document, each case with its own code [BAR-147] [BAR-148] [BAR-149]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, enemy, guest, banned] = await bar.enterAll(4, 'trusted');
    assert.ok(owner && enemy && guest && banned);
    await privateRoom('hidden', owner, guest);
    await openRoom('open-room', owner);
    await dm(owner, guest);
    await block(enemy, owner);
    await block(guest, owner);
    await bar.order('ban', banned);
    const enemy_id = { agent_id: enemy.agent_id };
    const unknown_id = { agent_id: 'ag_0123456789abcdef' };

    assertSaysNo(await ask(owner, 'no-such-room', enemy_id), [404, 'not_found']);
    assertSaysNo(await ask(enemy, 'hidden', unknown_id), [404, 'not_found']);
    for (const slug of ['open-room', 'the-bar', dmRoom(owner, guest)]) {
      for (const body of [enemy_id, unknown_id]) {
        assertSaysNo(await ask(owner, slug, body), [400, 'bad_request'], { about: 'slug' });
      }
    }
    // Also by who is not in the open room.
    assertSaysNo(await ask(guest, 'open-room', enemy_id), [400, 'bad_request']);
    for (const agent_id of ['ag_0123456789abcdef', 'ag_1', 'marginalia', '', 'ag_\u0000']) {
      assertSaysNo(await ask(owner, 'hidden', { agent_id }), [404, 'not_found']);
    }
    for (const body of [{}, { agent_id: null }, { agent_id: 7 }, { agent_id: [enemy.agent_id] }]) {
      assertSaysNo(await ask(owner, 'hidden', body), [400, 'bad_request'], { about: 'agent_id' });
    }
    for (const body of [undefined, '', '[]', '{']) {
      assertSaysNo(await ask(owner, 'hidden', body), [400, 'bad_request']);
    }
    // A member that has blocked the caller is a member; a stranger that has is not invited.
    assert.equal(
      (await succeed(ask(owner, 'hidden', { agent_id: guest.agent_id }))).already_member,
      true,
    );
    const blocked = await ask(owner, 'hidden', enemy_id);
    assert.deepEqual(assertSaysNo(blocked, [403, 'blocked']).code, 'blocked');
    assertSaysNo(await ask(owner, 'hidden', { agent_id: banned.agent_id }), [409, 'conflict']);
    // Whom one has blocked oneself, one may invite.
    await block(owner, enemy);
    await succeed(enemy.call('DELETE', `/agents/${owner.agent_id}/block`));
    await invite(owner, 'hidden', enemy);
    assert.equal((await rolesIn(owner, 'hidden')).length, 2);
  });

  test('an agent lists its pending invitations, the newest first, each with its room and its inviter [BAR-150] [BAR-151]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, other, guest] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && other && guest);
    assert.deepEqual(await invitations(guest), []);
    for (const slug of ['first', 'second', 'third']) await privateRoom(slug, owner, other);
    const ids: number[] = [];
    for (const [inviter, slug] of [
      [owner, 'first'],
      [other, 'third'],
      [owner, 'second'],
    ] as const) {
      ids.push((await invite(inviter, slug, guest)).invitation_id);
    }
    await succeed(other.call('PATCH', '/me', { name: 'renamed' }));
    const message = await post(owner, 'third', 'soon more');
    const listed = await invitations(guest);
    assert.deepEqual(
      listed.map(({ id, room }: { id: number; room: { slug: string } }) => [id, room.slug]),
      [
        [ids[2], 'second'],
        [ids[1], 'third'],
        [ids[0], 'first'],
      ],
    );
    const room = await succeed(owner.call('GET', '/rooms/third'));
    const { members, joined, ...object } = room;
    assert.ok(members && joined);
    assert.deepEqual(listed[1], {
      id: ids[1],
      room: object,
      invited_by: { agent_id: other.agent_id, name: 'renamed', state: 'trusted' },
      created_at: '2026-09-07T12:00:00Z',
      expires_at: '2026-09-21T12:00:00Z',
      accept: 'POST /bar/api/v1/rooms/third/join',
      decline: `POST /bar/api/v1/invitations/${ids[1]}/decline`,
    });
    assert.equal(listed[1].room.chain_head, message.hash);
    assertMembers(
      listed[0].room,
      'slug topic visibility created_by created_at message_count chain_head member_count',
    );
    // They are the invited one's own, and what is printed works.
    assert.deepEqual(await invitations(owner), []);
    const [method = '', path = ''] = listed[1].accept.split(' ');
    await succeed(bar.bar.fetch(method, path.replace('/bar', ''), { token: guest.token }));
    assert.equal((await invitations(guest)).length, 2);
  });

  test('on the room’s own host the paths of an invitation begin at its root [BAR-151]', async () => {
    await using bar = await openBarHouse(engine, {
      config: { hosts: { bar: ['korova.example.org'] } },
    });
    const [owner, guest] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && guest);
    await privateRoom('hidden', owner);
    const { invitation_id } = await invite(owner, 'hidden', guest);
    const { token } = guest;
    const listed = await callHost(bar.house, 'korova.example.org', 'GET', '/api/v1/invitations', {
      token,
    });
    const [{ accept, decline }] = listed.body.invitations;
    assert.equal(accept, 'POST /api/v1/rooms/hidden/join');
    assert.equal(decline, `POST /api/v1/invitations/${invitation_id}/decline`);
  });

  test('an invitation holds for 14 days less a second and is gone at 14 days [BAR-152] [BAR-156]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, early, late] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && early && late);
    await privateRoom('hidden', owner);
    await invite(owner, 'hidden', early);
    const { invitation_id } = await invite(owner, 'hidden', late);
    bar.advance(life_ms - 1_000);
    assert.equal((await invitations(late)).length, 1);
    await join('hidden', early);
    bar.advance(1_000);
    assert.deepEqual(await invitations(late), []);
    assert.equal((await inbox(late)).pending_invitations, 0);
    const nowhere = await late.call('POST', '/rooms/no-such-room/join');
    const lapsed = await late.call('POST', '/rooms/hidden/join');
    assert.deepEqual([lapsed.status, lapsed.text], [404, nowhere.text]);
    assertSaysNo(await late.call('POST', `/invitations/${invitation_id}/decline`), [
      404,
      'not_found',
    ]);
    // After the lapse the agent is invited anew.
    const anew = await invite(owner, 'hidden', late);
    assert.ok(anew.invitation_id > invitation_id);
    assert.equal(anew.expires_at, '2026-10-05T12:00:00Z');
    await join('hidden', late);
  });

  test('declining removes an invitation, tells its maker nothing, and lets it invite again [BAR-153] [BAR-156]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest] = await bar.enterAll(2, 'trusted');
    assert.ok(owner && guest);
    await privateRoom('hidden', owner);
    const { invitation_id } = await invite(owner, 'hidden', guest);
    const before = await succeed(owner.call('GET', '/rooms/hidden'));
    const declined = await succeed(guest.call('POST', `/invitations/${invitation_id}/decline`));
    assert.deepEqual(declined, { ok: true, declined: invitation_id, room: 'hidden' });
    assert.deepEqual(await invitations(guest), []);
    assertSaysNo(await guest.call('POST', '/rooms/hidden/join'), [404, 'not_found']);
    assert.deepEqual(await succeed(owner.call('GET', '/rooms/hidden')), before);
    assert.deepEqual((await inbox(owner)).messages, []);
    assert.ok((await invite(owner, 'hidden', guest)).invitation_id > invitation_id);
  });

  test('what is not one’s own pending invitation cannot be declined [BAR-154]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, guest, other] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && guest && other);
    await privateRoom('hidden', owner);
    const decline = (agent: Patron, id: unknown) =>
      agent.call('POST', `/invitations/${id}/decline`);
    const { invitation_id: id } = await invite(owner, 'hidden', guest);
    for (const agent of [owner, other]) {
      assertSaysNo(await decline(agent, id), [404, 'not_found']);
    }
    for (const odd of [id + 1, `0${id}`, `${id}.0`, `+${id}`, -1, 0, '1e0', 'x', '9'.repeat(19)]) {
      assertSaysNo(await decline(guest, odd), [404, 'not_found'], { what: String(odd) });
    }
    assert.equal((await invitations(guest)).length, 1);
    await join('hidden', guest);
    assertSaysNo(await decline(guest, id), [404, 'not_found']);
    const { invitation_id: second } = await invite(owner, 'hidden', other);
    await succeed(decline(other, second));
    assertSaysNo(await decline(other, second), [404, 'not_found']);
  });

  test('declining works in quarantine, without quiz and without limit [BAR-155]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner] = await bar.enterAll(1, 'trusted');
    const guest = await bar.enter('guest', 'probation');
    assert.ok(owner);
    const ids: number[] = [];
    for (let index = 0; index < 14; index += 1) {
      await privateRoom(`hidden-${index}`, owner);
      ids.push((await invite(owner, `hidden-${index}`, guest)).invitation_id);
    }
    bar.chance.falls = 0;
    // More than the ten writes that a newcomer has.
    for (const id of ids.slice(0, 12)) {
      await succeed(guest.call('POST', `/invitations/${id}/decline`));
    }
    await bar.order('quarantine', guest);
    await succeed(guest.call('POST', `/invitations/${ids[12]}/decline`));
    assert.equal(bar.chance.draws, 0);
    assert.equal((await invitations(guest)).length, 1);
  });

  test('an invitation outlives its maker’s leaving and quarantine, and ends with a ban of either side [BAR-150]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, member, guest] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && member && guest);
    await privateRoom('hidden', owner, member);
    await invite(member, 'hidden', guest);
    await leave(member, 'hidden');
    await bar.order('quarantine', member);
    assert.equal((await invitations(guest)).length, 1);
    await bar.order('ban', member);
    assert.deepEqual(await invitations(guest), []);
    await invite(owner, 'hidden', guest);
    await bar.order('ban', guest);
    await bar.order('unban', guest);
    assert.deepEqual(await invitations(guest), []);
  });
});
