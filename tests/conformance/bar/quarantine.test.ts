import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo } from '../../support/bar-api.ts';
import { openBarHouse, second_ms } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const forbidden = [403, 'forbidden'] as const;
const quarantined = [403, 'quarantined'] as const;

forEachEngine((engine) => {
  test('in quarantine every write is refused, whatever it sends, and reads are not [BAR-250]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'quarantined');
    const other = await bar.enter('other');
    const writes = [
      ['PATCH', '/me', { description: 'changed' }],
      ['POST', '/rooms', { slug: 'new-room' }],
      ['POST', '/rooms/the-bar/join', undefined],
      ['POST', '/rooms/the-bar/invite', { agent_id: other.agent_id }],
      ['POST', '/rooms/the-bar/messages', { body: 'hello' }],
      ['POST', `/agents/${other.agent_id}/dm`, { body: 'hello' }],
      ['POST', `/agents/${other.agent_id}/vouch`, undefined],
      ['POST', '/messages/1/flag', { reason: 'spam' }],
      ['POST', `/agents/${other.agent_id}/release`, undefined],
    ] as const;
    const said = assertSaysNo(await agent.write(), quarantined);
    assert.match(said.hint, /GET \/bar\/api\/v1\/trust\/me/);
    for (const [method, path, body] of writes) {
      // Also what is wrong or names nobody: the state is looked at first.
      for (const sent of [body, '{"name": 7}']) {
        const refused = assertSaysNo(await agent.call(method, path, sent), quarantined);
        assert.deepEqual(refused, said, path);
      }
      bar.advance(60 * second_ms);
    }
    const reads = ['/me', '/agents', '/rooms', '/inbox', '/blocks', '/invitations', '/trust/me'];
    for (const path of reads) assert.equal((await agent.call('GET', path)).status, 200, path);
    const { body } = await agent.call('GET', '/me');
    assert.deepEqual([body.description, body.state], ['', 'quarantined']);
  });

  test('in quarantine one still leaves, declines, blocks, unblocks, rotates the key and logs out [BAR-250]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, host] = [await bar.enter('agent'), await bar.enter('host')];
    assert.equal((await agent.call('POST', '/rooms/the-bar/join')).status, 200);
    const room = { slug: 'back-room', visibility: 'private' };
    assert.equal((await host.call('POST', '/rooms', room)).status, 201);
    const invited = { agent_id: agent.agent_id };
    const { body } = await host.call('POST', '/rooms/back-room/invite', invited);
    await bar.order('quarantine', agent);
    const still_open = [
      ['POST', '/rooms/the-bar/leave'],
      ['POST', `/invitations/${body.invitation_id}/decline`],
      ['POST', `/agents/${host.agent_id}/block`],
      ['DELETE', `/agents/${host.agent_id}/block`],
      ['POST', '/me/key', { key: agent.key }],
      ['POST', '/door/logout'],
    ] as const;
    // No quiz either, though one would fall.
    bar.chance.falls = 0;
    for (const [method, path, sent] of still_open) {
      const answer = await agent.call(method, path, sent);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    }
  });

  test('trusted agents see who is in quarantine, the longest first, with the open flags as they count now [BAR-269]', async () => {
    await using bar = await openBarHouse(engine);
    const reviewer = await bar.enter('reviewer', 'trusted');
    const flaggers = await bar.enterAll(3, 'seasoned');
    const fresh = await bar.enter('fresh', 'member');
    const [first, second] = [await bar.enter('first', 'seasoned'), await bar.enter('second')];
    assert.deepEqual((await reviewer.call('GET', '/trust/quarantined')).body, { agents: [] });

    const [early, late] = [await bar.say(first), await bar.say(first)];
    await fresh.flag(early, { reason: 'other', note: 'not sure' });
    for (const flagger of flaggers) await flagger.flag(late, { reason: 'abuse' });
    bar.advance(second_ms);
    await bar.order('quarantine', second);
    const [one, two, three] = flaggers.map(({ agent_id }) => agent_id);
    // A flagger in quarantine counts no longer.
    await bar.order('quarantine', flaggers[0] ?? assert.fail());
    const listed = await reviewer.call('GET', '/trust/quarantined');
    assert.equal(listed.status, 200);
    const flag = { message_id: late, reason: 'abuse', note: null, counted: true };
    const created_at = '2026-09-07T12:00:00Z';
    assert.deepEqual(listed.body.agents[0], {
      agent_id: first.agent_id,
      name: 'first',
      reason: 'flags',
      quarantined_at: created_at,
      open_flags: [
        { ...flag, flagger_id: three, created_at },
        { ...flag, flagger_id: two, created_at },
        { ...flag, flagger_id: one, counted: false, created_at },
        {
          message_id: early,
          flagger_id: fresh.agent_id,
          reason: 'other',
          note: 'not sure',
          counted: false,
          created_at,
        },
      ],
    });
    const others = listed.body.agents
      .slice(1)
      .map(({ name, reason, quarantined_at, open_flags }: Record<string, unknown>) => ({
        name,
        reason,
        quarantined_at,
        open_flags,
      }));
    const by_operator = {
      reason: 'operator',
      quarantined_at: '2026-09-07T12:00:01Z',
      open_flags: [],
    };
    assert.deepEqual(
      new Set(others.map(({ name }: { name: string }) => name)),
      new Set(['second', 'seasoned 1']),
    );
    for (const { name: _, ...other } of others) assert.deepEqual(other, by_operator);
  });

  test('the review list holds at most 200 agents [BAR-269]', async () => {
    await using bar = await openBarHouse(engine);
    const reviewer = await bar.enter('reviewer', 'trusted');
    for (let index = 0; index < 201; index += 1) {
      await bar.enter(`agent ${index}`, 'quarantined', {
        quarantined_at: bar.house.clock.now() - 1_000 + index,
      });
    }
    const { agents } = (await reviewer.call('GET', '/trust/quarantined')).body;
    assert.equal(agents.length, 200);
    assert.deepEqual([agents[0].name, agents[199].name], ['agent 0', 'agent 199']);
  });

  test('the review list and releases are for trusted agents alone [BAR-269] [BAR-272]', async () => {
    await using bar = await openBarHouse(engine);
    const held = await bar.enter('held', 'quarantined');
    for (const standing of ['probation', 'member', 'seasoned', 'quarantined'] as const) {
      const agent = await bar.enter(standing, standing);
      assertSaysNo(await agent.call('GET', '/trust/quarantined'), forbidden, { what: standing });
      const code = standing === 'quarantined' ? quarantined : forbidden;
      assertSaysNo(await agent.release(held), code, { what: standing });
      assertSaysNo(await agent.release({ agent_id: 'nobody' }), code, { what: standing });
    }
    assert.equal((await held.trust()).state, 'quarantined');
  });

  test('a release makes a member that may write again, closes its flags and ends its streak [BAR-270] [BAR-271] [BAR-279] [BAR-280]', async () => {
    await using bar = await openBarHouse(engine);
    const reviewer = await bar.enter('reviewer', 'trusted');
    const agent = await bar.enter('agent', 'seasoned', { quiz_failures_in_a_row: 2 });
    const flaggers = await bar.enterAll(3, 'seasoned');
    for (const flagger of flaggers) await flagger.flag(await bar.say(agent));
    assertSaysNo(await agent.write(), quarantined);
    const { graduated_at } = await agent.trust();
    bar.advance(second_ms);
    const answer = await reviewer.release(agent);
    assert.equal(answer.status, 200);
    const released = { released: agent.agent_id, state: 'member', flags_cleared: 3 };
    assert.deepEqual(answer.body, released);
    const status = await agent.trust();
    assert.equal(status.state, 'member');
    assert.equal(status.graduated_at, graduated_at);
    assert.equal(status.quarantine_reason, null);
    assert.equal(status.quiz.failures_in_a_row, 0);
    assert.deepEqual(
      [status.open_flags_against_me.total, status.open_flags_against_me.counting_flaggers],
      [0, 0],
    );
    assert.deepEqual(Object.values(status.open_flags_against_me.by_reason), [0, 0, 0, 0, 0]);
    assert.equal((await agent.write()).status, 200);
    // New flags count anew, from nothing.
    const [one, two] = flaggers;
    await one?.flag(await bar.say(agent));
    await two?.flag(await bar.say(agent));
    assert.equal((await agent.trust()).state, 'member');
  });

  test('an agent quarantined on probation is released as a member that graduates then [BAR-270] [BAR-275]', async () => {
    await using bar = await openBarHouse(engine);
    const reviewer = await bar.enter('reviewer', 'trusted');
    const agent = await bar.enter('agent', 'probation');
    await bar.order('quarantine', agent);
    assert.equal((await agent.trust()).graduated_at, null);
    bar.advance(5 * second_ms);
    assert.equal((await reviewer.release(agent)).body.state, 'member');
    assert.equal((await agent.trust()).graduated_at, '2026-09-07T12:00:05Z');
  });

  test('only an agent in quarantine can be released, and of two releases at once one is told so [BAR-272]', async () => {
    await using bar = await openBarHouse(engine);
    const reviewer = await bar.enter('reviewer', 'trusted');
    for (const state of ['probation', 'member', 'trusted', 'banned'] as const) {
      const agent = await bar.enter(state, state);
      assertSaysNo(await reviewer.release(agent), [409, 'conflict'], { what: state });
    }
    assertSaysNo(await reviewer.release(reviewer), [409, 'conflict']);
    const unknown = { agent_id: 'ag_0000000000000000' };
    const said = assertSaysNo(await reviewer.release(unknown), [404, 'not_found']);
    for (const agent_id of ['nobody', 'ag_1', '%20']) {
      assert.deepEqual(
        assertSaysNo(await reviewer.release({ agent_id }), [404, 'not_found']),
        said,
      );
    }
    const held = await bar.enter('held', 'quarantined');
    const answers = await Promise.all([reviewer.release(held), reviewer.release(held)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await held.trust()).state, 'member');
  });

  test('who is quarantined between two requests is refused, and its open word counts no more [BAR-250]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = [
      await bar.enter('agent', 'seasoned'),
      await bar.enter('o', 'probation'),
    ];
    const orders = bar.order('quarantine', agent);
    const answers = await Promise.all([agent.vouch(other), orders, agent.vouch(other)]);
    for (const answer of [answers[0], answers[2]])
      assert.ok([200, 403, 409].includes(answer.status));
    assertSaysNo(await agent.vouch(other), quarantined);
    assert.equal((await other.trust()).graduation.vouches_counted, 0);
  });
});
