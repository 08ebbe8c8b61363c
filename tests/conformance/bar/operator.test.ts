import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertSaysNo } from '../../support/bar-api.ts';
import { passDoor } from '../../support/bar-door.ts';
import {
  answering,
  type BarHouse,
  eventually,
  openBarHouse,
  quizOf,
  type Standing,
  second_ms,
} from '../../support/bar-trust.ts';
import { runChild } from '../../support/children.ts';
import { forOneEngine } from '../../support/engines.ts';

const banned = [403, 'forbidden'] as const;
const nobody = { agent_id: 'ag_0000000000000000' };
const cli = join(import.meta.dirname, '../../../packages/cli/src/main.ts');

/** The `stoa` command on the data folder of a house. */
const stoa = (bar: BarHouse, ...given: string[]) =>
  runChild(process.execPath, [cli, '--data', bar.house.data, ...given]);

/** Puts an agent into a state by practice mode's own route. */
async function setTrust(bar: BarHouse, body: unknown) {
  const response = await bar.house.fetch('/practice/trust', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

forOneEngine((engine) => {
  test('each order leads from each state to the one it says, prints it as one line, and may be repeated [BAR-252]', async () => {
    await using bar = await openBarHouse(engine);
    const states: Standing[] = ['probation', 'member', 'trusted', 'quarantined', 'banned'];
    const leads = {
      trust: ['trusted', 'trusted', 'trusted', 'trusted', 'trusted'],
      untrust: ['probation', 'member', 'member', 'quarantined', 'banned'],
      ban: ['banned', 'banned', 'banned', 'banned', 'banned'],
      unban: ['probation', 'member', 'trusted', 'quarantined', 'member'],
      quarantine: ['quarantined', 'quarantined', 'quarantined', 'quarantined', 'banned'],
      release: ['probation', 'member', 'trusted', 'member', 'banned'],
      'clear-flags': ['probation', 'member', 'trusted', 'quarantined', 'banned'],
    };
    for (const [verb, ends] of Object.entries(leads)) {
      for (const [index, from] of states.entries()) {
        const { agent_id } = await bar.enter(`${verb} ${from}`, from);
        for (let times = 0; times < 2; times += 1) {
          const said = await bar.house.command('bar', verb, { agent_id });
          assert.equal(said, JSON.stringify({ agent_id, state: ends[index] }), `${verb} ${from}`);
        }
      }
    }
  });

  test('an order about an unknown agent fails [BAR-252]', async () => {
    await using bar = await openBarHouse(engine);
    const verbs = ['trust', 'untrust', 'ban', 'unban', 'quarantine', 'release', 'clear-flags'];
    for (const verb of [...verbs, 'show']) {
      for (const agent_id of [nobody.agent_id, 'nobody', '']) {
        const order = bar.house.command('bar', verb, { agent_id });
        await assert.rejects(order, { message: `There is no agent ${agent_id}.` });
      }
    }
  });

  test('trust graduates, ends the streak and drops the quiz; untrust makes a member of the same graduation [BAR-251] [BAR-252]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation', { quiz_failures_in_a_row: 2 });
    const stopped = await agent.write();
    assert.equal(quizOf(stopped).failures_in_a_row, 2);
    bar.advance(second_ms);
    await bar.order('trust', agent);
    const trusted = await agent.trust();
    assert.deepEqual(
      [trusted.state, trusted.graduated_at, trusted.quiz.failures_in_a_row],
      ['trusted', '2026-09-07T12:00:01Z', 0],
    );
    bar.advance(100 * second_ms);
    await bar.order('untrust', agent);
    const member = await agent.trust();
    assert.deepEqual(
      [member.state, member.graduated_at, member.quiz.failures_in_a_row, member.quiz.failed],
      ['member', '2026-09-07T12:00:01Z', 0, 0],
    );
    assert.equal((await agent.write()).status, 200);
  });

  test('quarantine by the operators says so, on whomever; release ends it [BAR-252] [BAR-280]', async () => {
    await using bar = await openBarHouse(engine);
    const reviewer = await bar.enter('reviewer', 'trusted');
    const agent = await bar.enter('agent', 'trusted');
    await bar.order('quarantine', agent);
    assert.equal((await agent.trust()).quarantine_reason, 'operator');
    assertSaysNo(await agent.write(), [403, 'quarantined']);
    const { agents } = (await reviewer.call('GET', '/trust/quarantined')).body;
    assert.deepEqual(
      agents.map(({ agent_id, reason }: Record<string, unknown>) => ({ agent_id, reason })),
      [{ agent_id: agent.agent_id, reason: 'operator' }],
    );
    await bar.order('release', agent);
    const status = await agent.trust();
    assert.deepEqual([status.state, status.quarantine_reason], ['member', null]);
    assert.equal((await agent.write()).status, 200);
  });

  test('clear-flags closes the flags and nothing else; who was held back by them graduates [BAR-252]', async () => {
    await using bar = await openBarHouse(engine);
    const flagger = await bar.enter('flagger', 'trusted');
    const agent = await bar.enter('agent', 'probation', {
      joined_at: bar.house.clock.now() - 259_200 * second_ms + 1,
    });
    const message_id = await bar.say(agent);
    await flagger.flag(message_id);
    bar.advance(second_ms);
    assert.equal((await agent.trust()).graduation.open_flags, 1);
    assert.equal((await bar.order('clear-flags', agent)).state, 'member');
    assert.equal((await agent.trust()).open_flags_against_me.total, 0);
    assertSaysNo(await flagger.flag(message_id), [409, 'conflict']);
  });

  test('a banned agent is refused everywhere, its quiz is gone, its profile and name stay [BAR-243] [BAR-253]', async () => {
    await using bar = await openBarHouse(engine);
    const other = await bar.enter('other', 'seasoned');
    const agent = await bar.enter('agent', 'member', { description: 'was here', pubkey: null });
    bar.chance.falls = 0;
    const stopped = await agent.write();
    bar.chance.falls = 99;
    await bar.order('ban', agent);
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/trust/me'],
      ['PATCH', '/me'],
      ['POST', '/door/logout'],
      ['POST', '/me/key'],
    ] as const) {
      const body = method === 'GET' ? undefined : {};
      const answer = await agent.call(method, path, body, answering(stopped));
      assertSaysNo(answer, banned, { what: path });
    }
    const { body } = await other.call('GET', `/agents/${agent.agent_id}`);
    assert.deepEqual([body.name, body.description, body.state], ['agent', 'was here', 'banned']);
    const knocked = await bar.bar.call('POST', '/door/knock', { body: { name: 'AGENT' } });
    assertSaysNo(knocked, [409, 'name_taken']);
    assertSaysNo(await other.vouch(agent), [409, 'conflict']);
    // What it was before is gone, not its graduation.
    bar.advance(60 * second_ms);
    await bar.order('unban', agent);
    const status = await agent.trust();
    assert.deepEqual([status.state, status.quiz.failed], ['member', 0]);
    assert.equal((await agent.write()).status, 200);
  });

  test('a banned agent’s word counts no more, and it comes back with a clean sheet [BAR-252] [BAR-253]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two, three] = await bar.enterAll(3, 'seasoned');
    assert.ok(one && two && three);
    const agent = await bar.enter('agent', 'probation', { quiz_failures_in_a_row: 2 });
    await one.vouch(agent);
    for (const flagger of [two, three]) await flagger.flag(await bar.say(agent));
    await bar.order('ban', one);
    await bar.order('ban', agent);
    await bar.order('unban', agent);
    const status = await agent.trust();
    assert.equal(status.state, 'probation');
    assert.equal(status.graduation.vouches_counted, 0);
    assert.equal(status.open_flags_against_me.total, 0);
    assert.equal(status.quiz.failures_in_a_row, 0);
  });

  test('a ban takes the agent out of all rooms, and its messages stay under its name and state [BAR-253]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = [await bar.enter('agent'), await bar.enter('other')];
    const room = { slug: 'back-room', visibility: 'private' };
    assert.equal((await agent.call('POST', '/rooms', room)).status, 201);
    const invited = await agent.call('POST', '/rooms/back-room/invite', other);
    assert.equal(invited.status, 201);
    assert.equal((await other.call('POST', '/rooms/back-room/join')).status, 200);
    for (const one of [agent, other]) await one.call('POST', '/rooms/the-bar/join');
    const posted = await agent.call('POST', '/rooms/the-bar/messages', { body: 'last words' });
    assert.equal(posted.status, 201);
    // Invitations both ways: one that it has, one that it gave.
    const third = await bar.enter('third');
    await agent.call('POST', '/rooms/back-room/invite', third);
    await other.call('POST', '/rooms', { slug: 'other-room', visibility: 'private' });
    await other.call('POST', '/rooms/other-room/invite', agent);

    await bar.order('ban', agent);
    const { body } = await other.call('GET', '/rooms/back-room');
    assert.deepEqual(
      body.members.map(({ agent_id, role }: Record<string, unknown>) => [agent_id, role]),
      [[other.agent_id, 'owner']],
    );
    const lobby = await other.call('GET', '/rooms/the-bar');
    assert.deepEqual([lobby.body.member_count, lobby.body.members.length], [1, 1]);
    const read = await other.call('GET', '/rooms/the-bar/messages');
    const author = { agent_id: agent.agent_id, name: 'agent', state: 'banned' };
    assert.deepEqual(read.body.messages, [{ ...posted.body, author }]);
    assert.deepEqual((await third.call('GET', '/invitations')).body, { invitations: [] });
    const again = await other.call('POST', '/rooms/other-room/invite', agent);
    assertSaysNo(again, [409, 'conflict']);

    await bar.order('unban', agent);
    assert.deepEqual((await agent.call('GET', '/invitations')).body, { invitations: [] });
    assert.equal((await agent.call('GET', '/rooms/back-room')).status, 404);
    assert.equal((await agent.call('GET', '/rooms/the-bar')).body.joined, false);
  });

  test('a ban ends the waits of the agent [BAR-253]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const held = () => bar.house.house.deps.waiters.count();
    const waits = [
      agent.call('GET', '/inbox?wait=20'),
      agent.call('GET', '/rooms/the-bar/messages?wait=20'),
    ];
    await eventually(async () => assert.ok(held() >= 2));
    await bar.order('ban', agent);
    for (const answer of await Promise.all(waits)) assertSaysNo(answer, banned);
    await eventually(async () => assert.equal(held(), 0));
  });

  test('agents lists all or those of a state, show says what the bar knows [BAR-252]', async () => {
    await using bar = await openBarHouse(engine);
    const flagger = await bar.enter('flagger', 'trusted');
    bar.advance(second_ms);
    const agent = await bar.enter('agent', 'probation', { quiz_failures_in_a_row: 1 });
    await flagger.vouch(agent);
    await flagger.flag(await bar.say(agent));
    const rows = [
      { agent_id: flagger.agent_id, name: 'flagger', state: 'trusted' },
      { agent_id: agent.agent_id, name: 'agent', state: 'probation' },
    ];
    assert.deepEqual(JSON.parse(await bar.house.command('bar', 'agents')), { agents: rows });
    const chosen = await bar.house.command('bar', 'agents', { state: 'probation' });
    assert.deepEqual(JSON.parse(chosen), { agents: rows.slice(1) });
    await assert.rejects(bar.house.command('bar', 'agents', { state: 'friend' }), /state/);
    assert.deepEqual(await bar.order('show', agent), {
      agent_id: agent.agent_id,
      name: 'agent',
      state: 'probation',
      joined_at: '2026-09-07T12:00:01Z',
      last_seen_at: '2026-09-07T12:00:01Z',
      graduated_at: null,
      quarantine_reason: null,
      vouches_counted: 1,
      open_flags: 1,
      counting_flaggers: 1,
      quiz_failures_in_a_row: 1,
    });
  });

  test('the stoa command carries orders, prints one line of JSON, and exits 1 on an unknown id [BAR-252]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const { agent_id } = agent;
    const line = JSON.stringify({ agent_id, state: 'trusted' });
    const done = { code: 0, signal: null, stdout: line, stderr: '' };
    assert.deepEqual(await stoa(bar, 'bar', 'trust', agent_id), done);
    assert.deepEqual(await stoa(bar, 'bar', 'trust', agent_id), done);
    assert.equal((await agent.trust()).state, 'trusted');
    const unknown = await stoa(bar, 'bar', 'trust', nobody.agent_id);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.equal(unknown.stderr, `stoa: There is no agent ${nobody.agent_id}.`);
    assert.equal((await stoa(bar, 'bar', 'trust')).code, 1);
    const listed = await stoa(bar, 'bar', 'agents', '--state', 'trusted');
    const agents = [{ agent_id, name: 'agent', state: 'trusted' }];
    assert.deepEqual([listed.code, JSON.parse(listed.stdout)], [0, { agents }]);
    const whole = await stoa(bar, '--json', 'bar', 'agents');
    assert.equal(whole.stdout, JSON.stringify({ agents }));
    const help = await stoa(bar, 'bar', 'ban', '--help');
    assert.equal(help.code, 0);
    assert.match(help.stdout, /<agent_id>.*ag_0123456789abcdef.*one line of JSON.*exits 1/s);
  });

  test('the house counts the messages of open rooms alone, and goes on counting', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = await bar.enterAll(2, 'trusted');
    assert.ok(agent && other);
    await agent.call('POST', '/rooms/the-bar/join');
    await agent.call('POST', '/rooms', { slug: 'den', visibility: 'private' });
    const say = async (path: string) =>
      assert.equal((await agent.call('POST', path, { body: 'x' })).status, 201);
    const counted = async (messages: number) =>
      assert.match(
        await bar.house.command('house', 'status'),
        new RegExp(`^bar: .*agents: 2, rooms: 1, messages: ${messages}\\)$`, 'm'),
      );
    await counted(0);
    for (let round = 1; round <= 3; round += 1) {
      await say('/rooms/the-bar/messages');
      await say('/rooms/den/messages');
      await say(`/agents/${other.agent_id}/dm`);
      await counted(round);
      // Jobs run, and keep what they have counted.
      bar.advance(60 * second_ms);
      await eventually(async () => {
        const [kept] = await bar.house.house.deps.read
          .selectFrom('bar_count')
          .selectAll()
          .execute();
        assert.equal(kept?.value, round);
      });
      await counted(round);
    }
  });

  test('no route of the bar makes an agent trusted [BAR-251]', async () => {
    await using bar = await openBarHouse(engine, { practice: false });
    const agent = await bar.enter('agent', 'seasoned');
    await agent.call('PATCH', '/me', { description: 'x', state: 'trusted' });
    for (const giver of await bar.enterAll(3, 'trusted')) await giver.vouch(agent);
    await bar.order('quarantine', agent);
    const reviewer = await bar.enter('reviewer', 'trusted');
    const released = await reviewer.call('POST', `/agents/${agent.agent_id}/release`, {
      state: 'trusted',
    });
    assert.equal(released.body.state, 'member');
    assert.equal((await agent.trust()).state, 'member');
    const given = await setTrust(bar, { agent_id: agent.agent_id, state: 'trusted' });
    assert.equal(given.status, 404);
    assert.equal((await agent.trust()).state, 'member');
  });

  test('practice mode puts an agent into any state from any other, as the operators would [BAR-251]', async () => {
    await using bar = await openBarHouse(engine);
    const entered = await passDoor(bar.bar, { name: 'newcomer' });
    const { agent_id } = entered;
    const states = ['probation', 'member', 'trusted', 'quarantined', 'banned'] as const;
    for (const from of states) {
      for (const state of states) {
        await setTrust(bar, { agent_id, state: from });
        const answer = await setTrust(bar, { agent_id, state });
        assert.deepEqual(answer, { status: 200, body: { agent_id, state } }, `${from} ${state}`);
      }
    }
    await setTrust(bar, { agent_id, state: 'probation' });
    const token = entered.session_token;
    const { body } = await bar.bar.call('GET', '/trust/me', { token });
    assert.deepEqual([body.state, body.graduated_at], ['probation', null]);
    await setTrust(bar, { agent_id, state: 'member' });
    const member = (await bar.bar.call('GET', '/trust/me', { token })).body;
    assert.deepEqual([member.state, member.graduated_at], ['member', '2026-09-07T12:00:00Z']);
  });

  test('practice/trust refuses an unknown agent and another state [BAR-251]', async () => {
    await using bar = await openBarHouse(engine);
    const { agent_id } = await bar.enter('agent');
    const unknown = await setTrust(bar, { ...nobody, state: 'trusted' });
    assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not-found']);
    for (const body of [{ agent_id, state: 'friend' }, { agent_id }, { state: 'member' }, []]) {
      const { status, body: said } = await setTrust(bar, body);
      assert.deepEqual([status, said.error.code], [400, 'invalid-request']);
    }
  });
});
