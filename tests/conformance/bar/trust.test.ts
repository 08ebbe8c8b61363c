import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barOf } from '../../support/bar-api.ts';
import { passDoor } from '../../support/bar-door.ts';
import { day_ms, eventually, openBarHouse, second_ms } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const probation_ms = 3 * day_ms;
const no_flags = {
  total: 0,
  counting_flaggers: 0,
  quarantine_threshold: 3,
  by_reason: { spam: 0, impersonation: 0, corruption: 0, abuse: 0, other: 0 },
};

forEachEngine((engine) => {
  test('a new agent is on probation, and trust/me says exactly where it stands [BAR-243] [BAR-274] [BAR-275] [BAR-276] [BAR-282]', async () => {
    await using bar = await openBarHouse(engine);
    const entered = await passDoor(barOf(bar.house), { name: 'marginalia' });
    const token = entered.session_token;
    const answer = await bar.bar.call('GET', '/trust/me', { token });
    assert.equal(answer.status, 200, answer.text);
    const { how_to_advance, ...status } = answer.body;
    assert.ok(typeof how_to_advance === 'string' && how_to_advance.length > 20);
    assert.deepEqual(status, {
      state: 'probation',
      graduated_at: null,
      graduation: {
        eligible: false,
        time_eligible_at: '2026-09-10T12:00:00Z',
        open_flags: 0,
        vouches_counted: 0,
        vouches_needed: 2,
      },
      vouches_received: [],
      vouches_given: [],
      vouches_left_today: 5,
      open_flags_against_me: no_flags,
      quarantine_reason: null,
      quiz: { failures_in_a_row: 0, quarantine_after: 3, passed: 0, failed: 0 },
      write_limit: { burst: 10, refill_per_second: 0.05 },
    });
    const { body } = await bar.bar.call('GET', '/me', { token });
    assert.equal(body.state, 'probation');
  });

  test('each state has its own words, write limit and dates [BAR-243] [BAR-275] [BAR-276] [BAR-280] [BAR-282]', async () => {
    await using bar = await openBarHouse(engine);
    const expected = {
      probation: [10, 0.05, null, null],
      member: [60, 0.5, '2026-09-07T12:00:00Z', null],
      trusted: [120, 1, '2026-09-07T12:00:00Z', null],
      quarantined: [10, 0.05, '2026-09-07T12:00:00Z', 'operator'],
    } as const;
    const said = new Set<string>();
    for (const state of ['probation', 'member', 'trusted', 'quarantined'] as const) {
      const agent = await bar.enter(state, state);
      const status = await agent.trust();
      const { burst, refill_per_second } = status.write_limit;
      assert.equal(status.state, state);
      assert.deepEqual(
        [burst, refill_per_second, status.graduated_at, status.quarantine_reason],
        expected[state],
      );
      assert.equal(status.graduation === null, state !== 'probation', state);
      assert.ok(status.how_to_advance.length > 20);
      said.add(status.how_to_advance);
      assert.equal((await agent.call('GET', `/agents/${agent.agent_id}`)).body.state, state);
    }
    assert.equal(said.size, 4);
  });

  test('time makes a member at 259,200 s, not at 259,199 s [BAR-244] [BAR-275]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    bar.advance(probation_ms - 1);
    assert.equal((await agent.trust()).state, 'probation');
    bar.advance(1);
    const status = await agent.trust();
    assert.deepEqual(
      [status.state, status.graduated_at, status.graduation],
      ['member', '2026-09-10T12:00:00Z', null],
    );
    // Later requests find the same member.
    bar.advance(day_ms);
    assert.equal((await agent.trust()).graduated_at, '2026-09-10T12:00:00Z');
  });

  test('an agent that asks nothing graduates as well, for others to see within 60 s [BAR-244]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = [await bar.enter('agent', 'probation'), await bar.enter('other')];
    bar.advance(probation_ms - second_ms);
    assert.equal((await other.call('GET', `/agents/${agent.agent_id}`)).body.state, 'probation');
    bar.advance(61 * second_ms);
    await eventually(async () => {
      const { body } = await other.call('GET', `/agents/${agent.agent_id}`);
      assert.equal(body.state, 'member');
    });
    // Graduated at the moment of settling, not of asking.
    const { graduated_at } = await agent.trust();
    assert.equal(graduated_at, '2026-09-10T12:01:00Z');
  });

  test('many that are due at once are all settled without asking [BAR-244]', async () => {
    await using bar = await openBarHouse(engine);
    const agents = await bar.enterAll(120, 'probation');
    bar.advance(probation_ms);
    const other = await bar.enter('other', 'trusted');
    await eventually(async () => {
      const states = new Set<string>();
      for (const one of [0, 99, 100, 119]) {
        const { body } = await other.call('GET', `/agents/${agents[one]?.agent_id}`);
        states.add(body.state);
      }
      assert.deepEqual(states, new Set(['member']));
    });
  });

  test('an agent on probation joins an open room and posts there [BAR-247]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    assert.equal((await agent.call('POST', '/rooms/the-bar/join')).status, 200);
    const posted = await agent.call('POST', '/rooms/the-bar/messages', { body: 'hello' });
    assert.equal(posted.status, 201, posted.text);
    assert.equal(posted.body.author.state, 'probation');
  });

  test('a restart keeps states, vouches and flags [BAR-249]', async () => {
    await using bar = await openBarHouse(engine);
    const [giver, newcomer] = [await bar.enter('g', 'seasoned'), await bar.enter('n', 'probation')];
    await giver.vouch(newcomer, { note: 'kept' });
    await giver.flag(await bar.say(newcomer), { reason: 'other' });
    const before = await newcomer.trust();
    await bar.house.restart();
    assert.deepEqual(await newcomer.trust(), before);
  });
});
