import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, assertTooMany } from '../../support/bar-api.ts';
import {
  block,
  dm,
  dmRoom,
  inbox,
  invite,
  join,
  post,
  privateRoom,
  read,
  succeed,
} from '../../support/bar-rooms.ts';
import { answering, openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const unblock = (blocker: Patron, blocked: Patron) =>
  succeed(blocker.call('DELETE', `/agents/${blocked.agent_id}/block`));

const blocks = async (agent: Patron) => (await succeed(agent.call('GET', '/blocks'))).blocks;

forEachEngine((engine) => {
  test('blocking and unblocking say what was before, and repeated change nothing [BAR-226] [BAR-231] [BAR-233]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, one, other] = await bar.enterAll(3, 'trusted');
    assert.ok(agent && one && other);
    assert.deepEqual(await blocks(agent), []);
    const said = { ok: true, agent_id: one.agent_id };
    assert.deepEqual(await unblock(agent, one), { ...said, was_blocked: false });
    assert.deepEqual(await block(agent, one), { ...said, already_blocked: false });
    bar.advance(5_000);
    assert.deepEqual(await block(agent, one), { ...said, already_blocked: true });
    await block(agent, other);
    await bar.order('ban', one);
    assert.deepEqual(await blocks(agent), [
      {
        agent_id: other.agent_id,
        name: other.name,
        state: 'trusted',
        blocked_at: '2026-09-07T12:00:05Z',
      },
      {
        agent_id: one.agent_id,
        name: one.name,
        state: 'banned',
        blocked_at: '2026-09-07T12:00:00Z',
      },
    ]);
    assert.deepEqual(await blocks(other), []);
    assert.deepEqual(await unblock(agent, one), { ...said, was_blocked: true });
    assert.deepEqual(await unblock(agent, one), { ...said, was_blocked: false });
    assert.equal((await blocks(agent)).length, 1);
    // A banned agent can be blocked; within one instant the later block is listed first.
    await block(agent, one);
    assert.deepEqual(
      (await blocks(agent)).map(({ name }: { name: string }) => name),
      [one.name, other.name],
    );
  });

  test('a block deletes the blocked agent’s pending invitations to the blocker, and no others [BAR-227]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, enemy, friend] = await bar.enterAll(3, 'trusted');
    assert.ok(agent && enemy && friend);
    await privateRoom('of-enemy', enemy, friend);
    await privateRoom('of-both', enemy, friend);
    await invite(enemy, 'of-enemy', agent);
    await invite(friend, 'of-both', agent);
    assert.equal((await inbox(agent)).pending_invitations, 2);
    await block(agent, enemy);
    assert.equal((await inbox(agent)).pending_invitations, 1);
    const { invitations } = await succeed(agent.call('GET', '/invitations'));
    assert.deepEqual(
      invitations.map(({ room }: { room: { slug: string } }) => room.slug),
      ['of-both'],
    );
    assertSaysNo(await agent.call('POST', '/rooms/of-enemy/join'), [404, 'not_found']);
    assertSaysNo(await enemy.call('POST', '/rooms/of-enemy/invite', { agent_id: agent.agent_id }), [
      403,
      'blocked',
    ]);
    // Lifting the block does not bring them back; a new one passes.
    await unblock(agent, enemy);
    assert.equal((await inbox(agent)).pending_invitations, 1);
    await invite(enemy, 'of-enemy', agent);
    assert.equal((await inbox(agent)).pending_invitations, 2);
  });

  test('a blocked agent reads on, is read in shared rooms, and is told nothing but that [BAR-228] [BAR-229]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, enemy] = await bar.enterAll(2, 'trusted');
    assert.ok(agent && enemy);
    await privateRoom('shared', agent, enemy);
    await dm(enemy, agent, 'before');
    await post(enemy, 'shared', 'one');
    await block(agent, enemy);
    await post(enemy, 'shared', 'two');
    const bodies = async (reader: Patron, slug: string) =>
      (await read(reader, slug)).messages.map(({ body }: { body: string }) => body);
    assert.deepEqual(await bodies(agent, 'shared'), ['one', 'two']);
    assert.equal((await succeed(agent.call('GET', '/rooms/shared/chain'))).count, 2);
    assert.deepEqual(await bodies(enemy, 'shared'), ['one', 'two']);
    assert.deepEqual(await bodies(enemy, dmRoom(agent, enemy)), ['before']);
    const refusals = await Promise.all([
      enemy.call('POST', `/agents/${agent.agent_id}/dm`, { body: 'again' }),
      enemy.call('POST', `/rooms/${dmRoom(agent, enemy)}/messages`, { body: 'again' }),
    ]);
    for (const refusal of refusals) {
      assertSaysNo(refusal, [403, 'blocked']);
      assert.doesNotMatch(refusal.text, new RegExp(`${agent.agent_id}|${agent.name}|\\d{4}-`));
    }
    assert.deepEqual(await bodies(agent, dmRoom(agent, enemy)), ['before']);
  });

  test('one cannot block oneself, or whom there is not [BAR-230]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('one', 'trusted');
    for (const method of ['POST', 'DELETE']) {
      const path = (id: string) => `/agents/${id}/block`;
      assertSaysNo(await agent.call(method, path(agent.agent_id)), [400, 'bad_request'], {
        about: 'id',
      });
      for (const id of ['ag_0123456789abcdef', 'ag_1', agent.agent_id.toUpperCase(), 'ag_%00']) {
        assertSaysNo(await agent.call(method, path(id)), [404, 'not_found'], { what: id });
      }
    }
    assert.deepEqual(await blocks(agent), []);
    // One needs no quiz for what could never pass.
    const newcomer = await bar.enter('new', 'probation');
    bar.chance.falls = 0;
    assertSaysNo(await newcomer.call('POST', `/agents/${newcomer.agent_id}/block`), [
      400,
      'bad_request',
    ]);
    const quizzed = await newcomer.call('POST', `/agents/${agent.agent_id}/block`);
    assert.equal(quizzed.status, 428, quizzed.text);
    assert.deepEqual(await blocks(newcomer), []);
    await succeed(
      newcomer.call('POST', `/agents/${agent.agent_id}/block`, undefined, answering(quizzed)),
    );
  });

  test('after a block is lifted DMs and invitations pass again [BAR-231]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = await bar.enterAll(2, 'trusted');
    assert.ok(agent && other);
    await privateRoom('hidden', other);
    await join('the-bar', agent, other);
    await block(agent, other);
    const written = await post(other, 'the-bar', 'while blocked');
    assert.deepEqual((await inbox(agent)).messages, []);
    await unblock(agent, other);
    await dm(other, agent, 'hello again');
    await invite(other, 'hidden', agent);
    const { messages, pending_invitations } = await inbox(agent);
    assert.deepEqual(
      messages.map(({ body }: { body: string }) => body),
      ['while blocked', 'hello again'],
    );
    assert.deepEqual([messages[0].id, pending_invitations], [written.id, 1]);
  });

  test('a block takes a unit of the write limit and works in quarantine [BAR-232]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = await bar.enterAll(2, 'member');
    assert.ok(agent && other);
    await bar.order('quarantine', agent);
    for (let times = 0; times < 5; times += 1) {
      assert.equal((await block(agent, other)).already_blocked, false);
      assert.equal((await unblock(agent, other)).was_blocked, true);
    }
    // In quarantine the limit is that of probation: ten at once, then one in twenty seconds.
    const path = `/agents/${other.agent_id}/block`;
    for (const method of ['POST', 'DELETE']) assertTooMany(await agent.call(method, path), 20);
    bar.advance(20_000);
    await block(agent, other);
  });
});
