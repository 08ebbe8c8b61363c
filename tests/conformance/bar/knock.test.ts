import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAgent } from '../../support/agents.ts';
import { enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, assertTooMany, type BarApi, barOf } from '../../support/bar-api.ts';
import { answerDoor, knock, one_prefix, passDoor, rightAnswer } from '../../support/bar-door.ts';
import { forEachEngine } from '../../support/engines.ts';
import { behind_proxy, fromAddress } from '../../support/guestbook.ts';
import { openTestHouse, test_start } from '../../support/open-house.ts';

const bad = [400, 'bad_request'] as const;
const taken = [409, 'name_taken'] as const;

/** Knocks, each from an address of its own, so that no limit comes in between. */
function knocker(bar: BarApi) {
  let count = 0;
  return (body: unknown) => {
    count += 1;
    return bar.call('POST', '/door/knock', { body, headers: fromAddress(count) });
  };
}

/** Another spelling of the same 32 bytes: the last digit before the padding holds two unused bits. */
function lastDigitWithUnusedBits(base64: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return digits[digits.indexOf(base64[42] ?? '') + 1] ?? '';
}

const tags = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`);

forEachEngine((engine) => {
  test('a knock with a name gives a challenge of exactly nine members [BAR-025] [BAR-026] [BAR-027] [BAR-028] [BAR-029] [BAR-030] [BAR-031]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      start: test_start + 999,
    });
    const bar = barOf(house);
    const { status, body } = await bar.call('POST', '/door/knock', { body: { name: 'Alice' } });
    assert.equal(status, 200);
    const { challenge_id, pow, tasks, answer_with, notes, ...others } = body;
    assert.deepEqual(others, {
      kind: 'knock',
      expires_at: '2026-09-07T12:02:00Z',
      deadline_seconds: 120,
      pass_mark: 8,
    });
    assert.match(challenge_id, /^ch_[0-9a-f]{32}$/);
    const { prefix, ...proof } = pow;
    assert.match(prefix, /^korova:[0-9a-f]{24}:$/);
    assert.deepEqual(proof, {
      algorithm: 'sha256',
      bits: 20,
      rule: 'find nonce so sha256(prefix+nonce) has `bits` leading zero bits; send nonce as a string',
    });
    const ids = ['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];
    assert.deepEqual(
      tasks.map(({ id }: { id: string }) => id),
      ids,
    );
    for (const task of tasks) {
      assert.deepEqual(Object.keys(task).sort(), ['id', 'prompt']);
      assert.ok(typeof task.prompt === 'string' && task.prompt !== '');
    }
    assert.deepEqual(answer_with, {
      method: 'POST',
      path: '/bar/api/v1/door/answer',
      body_shape: {
        challenge_id,
        nonce: '<string, max 64 printable ASCII chars>',
        answers: Object.fromEntries(ids.map((id) => [id, '<answer as a string>'])),
      },
    });
    for (const said of [/attempt/, /format/, /quotes/, /full stop/, /server's/]) {
      assert.match(notes, said);
    }
  });

  test('no two challenges share an id or a prefix [BAR-027]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const bar = barOf(house);
    const challenges = await Promise.all(
      Array.from({ length: 30 }, () => knock(bar, { name: 'Again' })),
    );
    assert.equal(new Set(challenges.map(({ challenge_id }) => challenge_id)).size, 30);
    assert.equal(new Set(challenges.map(({ pow }) => pow.prefix)).size, 30);
  });

  test('a name has 1 to 64 characters that are fit to be seen [BAR-032] [BAR-033] [BAR-013] [BAR-018]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const send = knocker(barOf(house));
    const refused: [what: string, body: unknown][] = [
      ['none', {}],
      ['another field', { nam: 'Alice', description: 'x' }],
      ['null', { name: null }],
      ['a number', { name: 7 }],
      ['a list', { name: ['Alice'] }],
      ['empty', { name: '' }],
      ['spaces', { name: '   ' }],
      ['white space of all kinds', { name: '\t \u00a0\u2003\u3000\n' }],
      ['nothing to be seen', { name: '\u200d\u2060\ufe0f' }],
      ['65 characters', { name: 'x'.repeat(65) }],
      ['65 emoji', { name: '🥛'.repeat(65) }],
      ['65 after composition', { name: `${'x'.repeat(64)}e\u0301` }],
      ['a tab inside', { name: 'a\tb' }],
      ['a line feed inside', { name: 'a\nb' }],
      ['U+0000', { name: 'a\u0000b' }],
      ['U+0085', { name: 'a\u0085b' }],
      ['U+007F', { name: 'a\u007fb' }],
      ['a line separator', { name: 'a\u2028b' }],
      ['a paragraph separator', { name: 'a\u2029b' }],
      ['a right-to-left override', { name: 'a\u202eb' }],
      ['a right-to-left mark', { name: 'a\u200fb' }],
      ['an isolate', { name: 'a\u2066b' }],
      ['an Arabic letter mark', { name: 'a\u061cb' }],
      ['a lone surrogate', '{"name": "a\\ud800b"}'],
      ['surrogates the wrong way round', '{"name": "\\ude00\\ud83d"}'],
    ];
    for (const [what, body] of refused) {
      assertSaysNo(await send(body), bad, { about: 'name', what });
    }
    const fine = ['x', 'x'.repeat(64), '🥛'.repeat(64), `${'x'.repeat(63)}e\u0301`, 'Ünïcödé 名前'];
    for (const name of fine) assert.equal((await send({ name })).status, 200, name);
    assert.equal((await send({ name: `  ${'x'.repeat(64)}\n` })).status, 200);
  });

  test('a name that somebody has, or nobody may have, is taken, however it is written [BAR-034] [BAR-035]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const bar = barOf(house);
    const send = knocker(bar);
    const me = await enterBar(house, 'first', { state: 'trusted' });
    const alike: [kept: string, other: string][] = [
      ['Bob', 'bob'],
      ['bob', 'BOB'],
      ['\u212aelvin', 'kelvin'],
      ['Straße', 'STRASSE'],
      ['STRA\u1e9eE', 'straße'],
      ['\uff22ob', 'bob'],
      ['Σας', 'ΣΑΣ'],
      ['\u0131an', 'ian'],
      ['a\u200db', 'ab'],
      ['a\u00a0b', 'a b'],
      ['a  b', 'a b'],
      ['é', 'e\u0301'],
      ['É', 'e\u0301'],
      [' padded ', 'padded'],
    ];
    for (const [kept, other] of alike) {
      for (const [one, two] of [
        [kept, other],
        [other, kept],
      ]) {
        const { status, text } = await bar.call('PATCH', '/me', {
          body: { name: one },
          token: me.token,
        });
        assert.equal(status, 200, text);
        assertSaysNo(await send({ name: two }), taken, { what: `${one} ${two}` });
        assertSaysNo(await send({ name: one }), taken, { what: `${one} ${one}` });
        house.clock.advance(10_000);
      }
    }
    const unlike: [kept: string, other: string][] = [
      ['\u0130an', 'ian'],
      ['\u0412ob', 'bob'],
      ['bob', 'bob2'],
      ['a b', 'ab'],
      ['e', 'é'],
    ];
    for (const [kept, other] of unlike) {
      const renamed = await bar.call('PATCH', '/me', { body: { name: kept }, token: me.token });
      assert.equal(renamed.status, 200, renamed.text);
      assert.equal((await send({ name: other })).status, 200, `${kept} ${other}`);
    }
    for (const name of [
      'system',
      'System',
      'ＳＹＳＴＥＭ',
      me.agent_id,
      me.agent_id.toUpperCase(),
    ]) {
      assertSaysNo(await send({ name }), taken, { what: name });
    }
    for (const name of ['systems', 'ag_', `${me.agent_id}0`]) {
      assert.equal((await send({ name })).status, 200, name);
    }
  });

  test('a knock keeps no name: two challenges may carry the same one [BAR-036]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const first = await knock(bar, { name: 'Twin' });
    const second = await knock(bar, { name: 'TWIN' });
    assert.notEqual(first.challenge_id, second.challenge_id);
    assert.equal((await answerDoor(bar, rightAnswer(second))).status, 200);
  });

  test('a description has at most 1000 characters, and none is an empty one [BAR-037] [BAR-018]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const bar = barOf(house);
    const send = knocker(bar);
    const refused: [what: string, body: unknown][] = [
      ['1001', { name: 'Alice', description: 'x'.repeat(1_001) }],
      ['1001 emoji', { name: 'Alice', description: '🥛'.repeat(1_001) }],
      ['a number', { name: 'Alice', description: 7 }],
      ['U+0000', { name: 'Alice', description: 'a\u0000b' }],
      ['a lone surrogate', '{"name": "Alice", "description": "\\udfff"}'],
    ];
    for (const [what, body] of refused) {
      assertSaysNo(await send(body), bad, { about: 'description', what });
    }
    for (const description of ['', null, 'x'.repeat(1_000), '🥛'.repeat(1_000), ' \n\u202e ']) {
      assert.equal((await send({ name: 'Alice', description })).status, 200);
    }
    const { session_token } = await passDoor(bar, { name: 'Alice' });
    const { body } = await bar.call('GET', '/me', { token: session_token });
    assert.equal(body.description, '');
  });

  test('capabilities are at most 32 strings; those that are no tags are dropped [BAR-038] [BAR-039] [BAR-018]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const bar = barOf(house);
    const send = knocker(bar);
    const refused: [what: string, body: unknown][] = [
      ['33', { name: 'Alice', capabilities: tags(33) }],
      ['33 that are no tags', { name: 'Alice', capabilities: Array(33).fill('!') }],
      ['a text', { name: 'Alice', capabilities: 'python' }],
      ['an object', { name: 'Alice', capabilities: { python: true } }],
      ['a number in it', { name: 'Alice', capabilities: ['python', 7] }],
      ['null in it', { name: 'Alice', capabilities: [null] }],
      ['U+0000', { name: 'Alice', capabilities: ['a\u0000b'] }],
      ['a lone surrogate', '{"name": "Alice", "capabilities": ["\\ud83d"]}'],
    ];
    for (const [what, body] of refused) {
      assertSaysNo(await send(body), bad, { about: 'capabilities', what });
    }
    for (const capabilities of [null, [], tags(32)]) {
      assert.equal((await send({ name: 'Alice', capabilities })).status, 200);
    }
    const bare = await passDoor(bar, { name: 'Bare' });
    const { body: nothing } = await bar.call('GET', '/me', { token: bare.session_token });
    assert.deepEqual(nothing.capabilities, []);

    const capabilities = [
      'Web-Search',
      'python',
      'has space',
      '-begins-wrong',
      'PYTHON',
      'a.b_c:d-9',
      'x'.repeat(40),
      'y'.repeat(41),
      '',
      'é',
      '9',
    ];
    const many = await passDoor(bar, { name: 'Many', capabilities });
    const { body } = await bar.call('GET', '/me', { token: many.session_token });
    const kept = ['web-search', 'python', 'a.b_c:d-9', 'x'.repeat(40), '9'];
    assert.deepEqual(body.capabilities, kept);
  });

  test('a pubkey is the strict base64 of a canonical point that is not of small order [BAR-040] [BAR-041]', async () => {
    await using house = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const bar = barOf(house);
    const send = knocker(bar);
    const fit = makeAgent('a key').public_key;
    assert.match(fit, /^[A-Za-z0-9+/]{43}=$/);
    const octets = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    const zeros = '0'.repeat(60);
    const refused: [what: string, pubkey: unknown][] = [
      ['a number', 7],
      ['empty', ''],
      ['no base64', '!'.repeat(44)],
      ['31 bytes', Buffer.alloc(31, 1).toString('base64')],
      ['33 bytes', Buffer.alloc(33, 1).toString('base64')],
      ['hex', Buffer.from(fit, 'base64').toString('hex')],
      ['without padding', fit.slice(0, -1)],
      ['a space at the end', `${fit} `],
      ['a line feed inside', `${fit.slice(0, 20)}\n${fit.slice(20)}`],
      ['the alphabet of URLs', `${'_'.repeat(43)}=`],
      ['unused bits set', `${fit.slice(0, 42)}${lastDigitWithUnusedBits(fit)}=`],
      ['the neutral point', octets(`01${zeros}00`)],
      ['all zeros, of order 4', octets(`00${zeros}00`)],
      ['of order 2', octets(`ec${'f'.repeat(60)}7f`)],
      ['of order 8', octets('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')],
      ['the neutral point with a sign bit', octets(`01${zeros}80`)],
      ['y above the prime', octets(`ee${'f'.repeat(60)}7f`)],
      ['no point', octets(`02${zeros}00`)],
    ];
    for (const [what, pubkey] of refused) {
      assertSaysNo(await send({ name: 'Alice', pubkey }), bad, { about: 'pubkey', what });
    }
    assert.equal((await send({ name: 'Alice', pubkey: null })).status, 200);
    for (const name of ['Alice', 'Bob']) {
      const { session_token } = await passDoor(bar, { name, pubkey: fit });
      const { body } = await bar.call('GET', '/me', { token: session_token });
      assert.equal(body.pubkey, fit);
    }
  });

  test('one address has 30 knocks, refilled by one in 120 s, whatever comes of them [BAR-042] [BAR-043] [BAR-304]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const me = await enterBar(house, 'Taken');
    const post = (body: unknown) => bar.call('POST', '/door/knock', { body });
    const knocks: [times: number, body: unknown, status: number][] = [
      [5, { name: 'Alice' }, 200],
      [5, 'no JSON', 400],
      [4, { name: '' }, 400],
      [4, { name: 'taken' }, 409],
      [4, { agent_id: me.agent_id, key: 'kk_wrong' }, 403],
      [4, { agent_id: me.agent_id, key: me.key }, 200],
      [4, ' '.repeat(65_537), 413],
    ];
    for (const [times, body, status] of knocks) {
      for (let time = 0; time < times; time += 1) assert.equal((await post(body)).status, status);
    }
    for (const body of [{ name: 'Alice' }, 'no JSON', ' '.repeat(65_537)]) {
      assertTooMany(await post(body), 120);
    }
    // Only knocks count as knocks.
    assert.equal((await bar.call('GET', '/door')).status, 200);
    assert.equal((await bar.call('GET', '/door/knock')).status, 405);
    const answer = await answerDoor(bar, { challenge_id: 'ch_0', nonce: '0', answers: {} });
    assert.equal(answer.status, 404);
    house.clock.advance(119_999);
    assertTooMany(await post({ name: 'Alice' }), 1);
    house.clock.advance(1);
    assert.equal((await post({ name: 'Alice' })).status, 200);
    assertTooMany(await post({ name: 'Alice' }), 120);
    house.clock.advance(30 * 120_000);
    for (let time = 0; time < 30; time += 1) {
      assert.equal((await post({ name: 'Alice' })).status, 200);
    }
    assertTooMany(await post({ name: 'Alice' }), 120);
  });

  test('renewals are knocks of the same address [BAR-092]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(house);
    const { agent_id, key } = await enterBar(house, 'Renewer');
    for (let time = 0; time < 15; time += 1) {
      await knock(bar, { agent_id, key });
      await knock(bar, { name: 'Newcomer' });
    }
    for (const body of [{ agent_id, key }, { name: 'Newcomer' }]) {
      assertTooMany(await bar.call('POST', '/door/knock', { body }), 120);
    }
  });

  test('X-Forwarded-For counts only as what a proxy of ours said [BAR-044]', async () => {
    await using direct = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
    const bar = barOf(direct);
    const body = { name: 'Alice' };
    for (let index = 0; index < 30; index += 1)
      await knock(bar, body, { headers: fromAddress(index) });
    const more = { body, headers: fromAddress(999) };
    assertTooMany(await bar.call('POST', '/door/knock', more), 120);

    await using proxied = await openTestHouse({
      engine,
      rooms: ['bar'],
      random: one_prefix,
      config: behind_proxy,
    });
    const behind = barOf(proxied);
    const by = (address: string) => ({
      headers: { 'x-forwarded-for': `203.0.113.9, ${address}` },
    });
    for (let index = 0; index < 30; index += 1) {
      // What stands further left is the client's own claim.
      await knock(behind, body, { headers: { 'x-forwarded-for': `10.0.0.${index}, 192.0.2.1` } });
      await knock(behind, body, by(`2001:db8:0:1::${index + 1}`));
    }
    for (const address of ['192.0.2.1', '2001:db8:0:1:ffff::1']) {
      assertTooMany(await behind.call('POST', '/door/knock', { body, ...by(address) }), 120);
    }
    await knock(behind, body, by('192.0.2.2'));
    await knock(behind, body, by('2001:db8:0:2::1'));
  });
});
