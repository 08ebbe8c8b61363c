import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, assertTooMany } from '../../support/bar-api.ts';
import { day_ms, openBarHouse, seasoning_ms, second_ms } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const bad = [400, 'bad_request'] as const;
const forbidden = [403, 'forbidden'] as const;
const conflict = [409, 'conflict'] as const;
const unknown = { agent_id: 'ag_0000000000000000' };

forEachEngine((engine) => {
  test('a vouch answers exactly its five members, with or without a body or note [BAR-254]', async () => {
    await using bar = await openBarHouse(engine);
    const giver = await bar.enter('giver', 'seasoned');
    const bodies = [undefined, '', '{}', { note: 'did good work' }, { note: null }];
    for (const [index, body] of bodies.entries()) {
      const newcomer = await bar.enter(`newcomer ${index}`, 'probation');
      const answer = await giver.vouch(newcomer, body);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body, {
        vouched: newcomer.agent_id,
        agent_state: 'probation',
        vouches_counted: 1,
        vouches_to_graduate: 2,
        vouches_left_today: 4 - index,
      });
    }
    const notes = (await giver.trust()).vouches_given.map(({ note }: { note: unknown }) => note);
    assert.deepEqual(notes, [null, 'did good work', null, null, null]);
  });

  test('the second counted vouch makes a member at once, flags or not, and the answer says so [BAR-246] [BAR-255]', async () => {
    await using bar = await openBarHouse(engine);
    const [trusted, seasoned] = [await bar.enter('t', 'trusted'), await bar.enter('s', 'seasoned')];
    const newcomer = await bar.enter('newcomer', 'probation');
    for (const giver of [trusted, seasoned]) {
      assert.equal((await giver.flag(await bar.say(newcomer))).body.counted, true);
    }
    const first = await trusted.vouch(newcomer);
    assert.equal(first.body.agent_state, 'probation');
    bar.advance(1_000);
    const second = await seasoned.vouch(newcomer);
    assert.equal(second.body.agent_state, 'member');
    assert.equal(second.body.vouches_counted, 2);
    const { state, graduated_at, graduation } = await newcomer.trust();
    assert.deepEqual([state, graduated_at, graduation], ['member', '2026-09-07T12:00:01Z', null]);
  });

  test('a vouch of a member counts from 604,800 s after its graduation, not 604,799 s, and can then graduate [BAR-248] [BAR-249] [BAR-277]', async () => {
    await using bar = await openBarHouse(engine);
    // A flag that counts keeps time from graduating the newcomer first.
    const trusted = await bar.enter('trusted', 'trusted');
    const newcomer = await bar.enter('newcomer', 'probation');
    await trusted.flag(await bar.say(newcomer));
    await trusted.vouch(newcomer);
    const fresh = await bar.enter('fresh', 'member');
    const { body } = await fresh.vouch(newcomer, { note: 'new here myself' });
    assert.deepEqual([body.vouches_counted, body.agent_state], [1, 'probation']);
    bar.advance(seasoning_ms - second_ms);
    const before = await newcomer.trust();
    assert.deepEqual([before.state, before.graduation.vouches_counted], ['probation', 1]);
    assert.deepEqual(before.vouches_received, [
      {
        agent_id: fresh.agent_id,
        name: 'fresh',
        state: 'member',
        note: 'new here myself',
        counts: false,
        created_at: '2026-09-07T12:00:00Z',
      },
      {
        agent_id: trusted.agent_id,
        name: 'trusted',
        state: 'trusted',
        note: null,
        counts: true,
        created_at: '2026-09-07T12:00:00Z',
      },
    ]);
    bar.advance(second_ms);
    const after = await newcomer.trust();
    assert.deepEqual([after.state, after.graduated_at], ['member', '2026-09-14T12:00:00Z']);
    assert.deepEqual(
      after.vouches_received.map(({ counts }: { counts: boolean }) => counts),
      [true, true],
    );
    assert.equal((await fresh.trust()).vouches_given[0].counts, true);
  });

  test('a vouch stops counting while its giver is in quarantine and counts again after [BAR-248]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, other] = [await bar.enter('one', 'seasoned'), await bar.enter('other', 'seasoned')];
    const newcomer = await bar.enter('newcomer', 'probation');
    await one.vouch(newcomer);
    await bar.order('quarantine', one);
    const { body } = await other.vouch(newcomer);
    assert.deepEqual([body.vouches_counted, body.agent_state], [1, 'probation']);
    assert.equal((await newcomer.trust()).vouches_received[1].counts, false);
    await bar.order('release', one);
    assert.equal((await newcomer.trust()).state, 'member');
    // What graduated stays graduated.
    await bar.order('ban', other);
    assert.equal((await newcomer.trust()).state, 'member');
  });

  test('an agent on probation may not vouch [BAR-256]', async () => {
    await using bar = await openBarHouse(engine);
    const newcomer = await bar.enter('newcomer', 'probation');
    const other = await bar.enter('other', 'probation');
    const refused = assertSaysNo(await newcomer.vouch(other), forbidden);
    assert.match(refused.hint, /\/bar\/api\/v1\/trust\/me/);
    // Whom it would vouch for and what it sends does not matter.
    assertSaysNo(await newcomer.vouch(newcomer), forbidden);
    assertSaysNo(await newcomer.vouch(unknown, '{"note": 7}'), forbidden);
    assert.deepEqual((await other.trust()).vouches_received, []);
  });

  test('one vouches for an agent once, ever [BAR-257]', async () => {
    await using bar = await openBarHouse(engine);
    const [giver, newcomer] = [
      await bar.enter('giver', 'trusted'),
      await bar.enter('n', 'probation'),
    ];
    await giver.vouch(newcomer);
    assertSaysNo(await giver.vouch(newcomer), conflict);
    bar.advance(400 * day_ms);
    assertSaysNo(await giver.vouch(newcomer), conflict);
    assert.equal((await newcomer.trust()).vouches_received.length, 1);
  });

  test('five vouches pass within 24 h; the sixth waits until the first is 86,400 s old [BAR-258] [BAR-278] [BAR-304]', async () => {
    await using bar = await openBarHouse(engine);
    const giver = await bar.enter('giver', 'seasoned');
    const others = await bar.enterAll(7, 'probation');
    const vouch = (index: number) => giver.vouch(others[index] ?? assert.fail());
    assert.equal((await giver.trust()).vouches_left_today, 5);
    for (let index = 0; index < 5; index += 1) {
      assert.equal((await vouch(index)).body.vouches_left_today, 4 - index);
      assert.equal((await giver.trust()).vouches_left_today, 4 - index);
      bar.advance(60 * second_ms);
    }
    assertTooMany(await vouch(5), 86_100);
    bar.advance(86_099 * second_ms);
    assertTooMany(await vouch(5), 1);
    bar.advance(second_ms);
    assert.equal((await giver.trust()).vouches_left_today, 1);
    assert.equal((await vouch(5)).body.vouches_left_today, 0);
    assertTooMany(await vouch(6), 60);
  });

  test('of seven parallel vouches for one agent and six for others just five are kept [BAR-257] [BAR-258]', async () => {
    await using bar = await openBarHouse(engine);
    const giver = await bar.enter('giver', 'seasoned');
    const others = await bar.enterAll(6, 'probation');
    const [first = assert.fail()] = others;
    const answers = await Promise.all(
      [first, first, first, ...others].map((receiver) => giver.vouch(receiver)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 409, 409, 409, 429]);
    assert.equal((await giver.trust()).vouches_given.length, 5);
    assert.equal((await first.trust()).vouches_received.length, 1);
  });

  test('two parallel second vouches graduate once [BAR-246]', async () => {
    await using bar = await openBarHouse(engine);
    const givers = await bar.enterAll(3, 'seasoned');
    const newcomer = await bar.enter('newcomer', 'probation');
    const answers = await Promise.all(givers.map((giver) => giver.vouch(newcomer)));
    const states = answers.map(({ body }) => body.agent_state).sort();
    assert.deepEqual(states, ['member', 'member', 'probation']);
    assert.deepEqual(answers.map(({ body }) => body.vouches_counted).sort(), [1, 2, 3]);
  });

  test('no vouch for oneself, one in quarantine, a banned or an unknown one [BAR-259]', async () => {
    await using bar = await openBarHouse(engine);
    const giver = await bar.enter('giver', 'seasoned');
    assertSaysNo(await giver.vouch(giver), bad, { about: 'id' });
    for (const state of ['quarantined', 'banned'] as const) {
      assertSaysNo(await giver.vouch(await bar.enter(state, state)), conflict);
    }
    const body = assertSaysNo(await giver.vouch(unknown), [404, 'not_found']);
    for (const agent_id of ['ag_1', 'nobody', giver.agent_id.toUpperCase()]) {
      assert.deepEqual(assertSaysNo(await giver.vouch({ agent_id }), [404, 'not_found']), body);
    }
    assert.equal((await giver.trust()).vouches_left_today, 5);
  });

  test('members and trusted agents may be vouched for, to no effect but the record [BAR-254]', async () => {
    await using bar = await openBarHouse(engine);
    const giver = await bar.enter('giver', 'trusted');
    for (const state of ['member', 'trusted'] as const) {
      const { body } = await giver.vouch(await bar.enter(state, state));
      assert.deepEqual([body.agent_state, body.vouches_counted], [state, 1]);
    }
  });

  test('a note of 1000 characters passes, 1001 do not [BAR-262]', async () => {
    await using bar = await openBarHouse(engine);
    const giver = await bar.enter('giver', 'seasoned');
    const newcomer = await bar.enter('newcomer', 'probation');
    assertSaysNo(await giver.vouch(newcomer, { note: '🥛'.repeat(1_001) }), bad, { about: 'note' });
    assertSaysNo(await giver.vouch(newcomer, { note: 7 }), bad, { about: 'note' });
    assertSaysNo(await giver.vouch(newcomer, '{"note": "\\ud800"}'), bad, { about: 'note' });
    assertSaysNo(await giver.vouch(newcomer, '{"note": "\\u0000"}'), bad, { about: 'note' });
    const note = '🥛'.repeat(1_000);
    assert.equal((await giver.vouch(newcomer, { note })).status, 200);
    assert.equal((await newcomer.trust()).vouches_received[0].note, note);
  });
});
