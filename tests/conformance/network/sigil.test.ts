import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sigilKeyText, sigilSessionText } from '@stoa/proof/network';
import { forEachEngine } from '../../support/engines.ts';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import {
  challengeFor,
  newKey,
  putKeyOnCard,
  registerKey,
  signInBy,
  type TestKey,
} from '../../support/network-keys.ts';
import type { TestHouse } from '../../support/open-house.ts';

const challenge_s = 60;
const session_s = 900;
const key_fresh_s = 5;
const refused_code = [401, 'sigil_refused'] as const;

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine, config: { trust_proxy: 1 } });
    net = networkOf(house);
  });
  after(() => house.close());

  /** An agent with a key on its card that has not signed anything yet. */
  async function keyedAgent(name: string): Promise<{ agent: Agent; key: TestKey }> {
    const agent = await net.signUp(name);
    const key = newKey();
    await putKeyOnCard(net, agent, key.key);
    return { agent, key };
  }
  const keyState = async (handle: string) =>
    (await net.call('GET', `/v1/sigil/keys/${handle}`)).body;
  const meBy = (sigil: string) => net.call('GET', '/v1/net/me', { sigil });
  const pass = (seconds: number) => house.clock.advance(seconds * 1_000);

  test('a session is opened by signing a challenge with the key on the card, and lasts 15 minutes [NET-048] [NET-050] [NET-117]', async () => {
    const { agent, key } = await keyedAgent('Opener');
    assert.deepEqual(await keyState(agent.handle), {
      account: agent.account,
      key: null,
      status: 'none',
      since: null,
    });
    const { status, body, headers } = await signInBy(net, agent.handle, key);
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    const now = house.clock.now();
    const { token, ...rest } = body;
    assert.match(token, /^sgs_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(rest, {
      account: agent.account,
      expires_at: new Date(now + session_s * 1_000).toISOString(),
    });
    const me = await meBy(token);
    assert.deepEqual([me.body.account, me.body.auth], [agent.account, 'sigil']);
    assert.deepEqual(await keyState(agent.address.toUpperCase()), {
      account: agent.account,
      key: key.key,
      status: 'active',
      since: new Date(now).toISOString(),
    });
    pass(session_s - 1);
    assert.equal((await meBy(token)).status, 200);
    pass(1);
    assertNo(await meBy(token), [401, 'unauthorized']);
    const over = await net.call('GET', '/v1/net/me', { sigil: token, passcode: agent.passcode });
    assertNo(over, [401, 'unauthorized']);
  });

  test('a challenge works once, for 60 seconds, for its address and its purpose [NET-050]', async () => {
    const { agent, key } = await keyedAgent('Challenged');
    const { handle } = agent;
    const open = (challenge: string, sig: string, of = handle) =>
      net.call('POST', '/v1/sigil/sessions', { body: { handle: of, challenge, sig } });
    const claim = await challengeFor(net, agent.address.toUpperCase());
    assert.equal(claim.address, agent.address);
    assert.equal(claim.audience, house.house.rooms.network);
    const sig = key.sign(sigilSessionText(claim));
    assertNo(
      await open(claim.challenge, key.sign(sigilKeyText({ ...claim, key: key.key }))),
      refused_code,
    );
    assertNo(await open(claim.challenge, sig, 'somebody-else'), refused_code);
    const twice = await Promise.all([open(claim.challenge, sig), open(claim.challenge, sig)]);
    assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 401]);
    assertNo(await open(claim.challenge, sig), refused_code);

    const [late, in_time] = [await challengeFor(net, handle), await challengeFor(net, handle)];
    pass(challenge_s - 1);
    const last = await open(in_time.challenge, key.sign(sigilSessionText(in_time)));
    assert.equal(last.status, 201);
    pass(1);
    assertNo(await open(late.challenge, key.sign(sigilSessionText(late))), refused_code);

    const own = { ...(await challengeFor(net, handle)), challenge: `sgc_${'A'.repeat(51)}` };
    assertNo(await open(own.challenge, key.sign(sigilSessionText(own))), refused_code);
    const passed_on = { ...(await challengeFor(net, handle)), audience: 'https://evil.example' };
    assertNo(await open(passed_on.challenge, key.sign(sigilSessionText(passed_on))), refused_code);
  });

  test('revoking a key ends the sessions that it opened at once, and no others [NET-052]', async () => {
    const { agent, key } = await keyedAgent('Revoker');
    const { agent: bystander, key: other } = await keyedAgent('Bystander');
    const tokens: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      tokens.push((await signInBy(net, agent.handle, key)).body.token);
    }
    const { token: others } = (await signInBy(net, bystander.handle, other)).body;
    for (const token of tokens) assert.equal((await meBy(token)).status, 200);
    const [by = ''] = tokens;
    const revoked = await net.call('POST', '/v1/sigil/keys/revoke', { sigil: by });
    assert.deepEqual(revoked.body, { key: key.key, status: 'revoked' });
    for (const token of tokens) assertNo(await meBy(token), [401, 'unauthorized']);
    assert.equal((await meBy(others)).status, 200);
    const again = await net.call('POST', '/v1/sigil/keys/revoke', { passcode: agent.passcode });
    assert.deepEqual(again.body, { key: key.key, status: 'revoked' });
    assert.equal((await keyState(agent.handle)).status, 'revoked');
    const { passcode } = await net.signUp('Never Keyed');
    const none = await net.call('POST', '/v1/sigil/keys/revoke', { passcode });
    assert.deepEqual(none.body, { key: null, status: 'none' });
  });

  test('thirty refusals of one address within a minute, and the next attempt waits [NET-051]', async () => {
    const { agent, key } = await keyedAgent('Guessed');
    const wrong = newKey();
    const attempt = async (by: TestKey, address: string) => {
      const claim = await challengeFor(net, agent.handle);
      const sig = by.sign(sigilSessionText(claim));
      return net.call('POST', '/v1/sigil/sessions', {
        body: { handle: agent.handle, challenge: claim.challenge, sig },
        headers: { 'x-forwarded-for': address },
      });
    };
    for (let count = 0; count < 29; count += 1) {
      assertNo(await attempt(wrong, '192.0.2.1'), refused_code);
    }
    pass(20);
    assert.equal((await attempt(key, '192.0.2.1')).status, 201, 'what succeeds does not count');
    assertNo(await attempt(wrong, '192.0.2.1'), refused_code);
    assertNo(await attempt(key, '192.0.2.1'), [429, 'rate_limited'], { retry_after: 40 });
    assert.equal((await attempt(key, '192.0.2.2')).status, 201, 'the owner is not locked out');
    pass(40);
    assert.equal((await attempt(key, '192.0.2.1')).status, 201);
  });

  // What follows is the same whatever the rows lie in.
  if (engine !== 'sqlite') return;

  test('both credentials must be of one account [NET-049]', async () => {
    const { agent, key } = await keyedAgent('Double');
    const other = await net.signUp('Other');
    const { token } = (await signInBy(net, agent.handle, key)).body;
    const both = await net.call('GET', '/v1/net/me', { sigil: token, passcode: agent.passcode });
    assert.equal(both.body.account, agent.account);
    const mixed = await net.call('GET', '/v1/net/me', { sigil: token, passcode: other.passcode });
    assertNo(mixed, [401, 'unauthorized']);
  });

  test('a challenge does not tell whether anybody has the handle [NET-050]', async () => {
    await net.signUp('Exists');
    const [known, unknown] = await Promise.all(
      ['exists', 'exists-not'].map((handle) =>
        net.call('POST', '/v1/sigil/challenges', { body: { handle } }),
      ),
    );
    assert.ok(known && unknown);
    assert.deepEqual([known.status, unknown.status], [201, 201]);
    assert.deepEqual(Object.keys(known.body), Object.keys(unknown.body));
    assert.equal(unknown.body.address, 'exists-not@localhost');
    assert.equal(known.body.challenge.length, unknown.body.challenge.length);
    for (const handle of [
      '',
      'a b',
      'x'.repeat(41),
      'a@b@localhost',
      'a@other.example',
      'a@localhost.',
      '\u212aelvin',
      '\ud800',
      7,
    ]) {
      const refused = await net.call('POST', '/v1/sigil/challenges', { body: { handle } });
      assertNo(refused, [400, 'invalid_handle']);
    }
  });

  test('a wrong signature, a revoked key and a key other than the registered one sign nobody in [NET-051]', async () => {
    const { agent, key } = await keyedAgent('Refused');
    assertNo(await signInBy(net, agent.handle, newKey()), refused_code);
    assert.equal((await keyState(agent.handle)).status, 'none', 'a wrong signature proves no key');
    assert.equal((await signInBy(net, agent.handle, key)).status, 201);
    const other = newKey();
    await putKeyOnCard(net, agent, other.key);
    assertNo(await signInBy(net, agent.handle, other), refused_code);
    assertNo(await signInBy(net, agent.handle, key), refused_code);
    assert.equal((await registerKey(net, agent, other)).status, 200);
    assert.equal((await signInBy(net, agent.handle, other)).status, 201);
    const revoked = await net.call('POST', '/v1/sigil/keys/revoke', {
      body: {},
      passcode: agent.passcode,
    });
    assert.deepEqual(revoked.body, { key: other.key, status: 'revoked' });
    assertNo(await signInBy(net, agent.handle, other), refused_code);
    const keyless = await net.signUp('Keyless');
    assertNo(await signInBy(net, keyless.handle, key), refused_code);
    assertNo(await signInBy(net, 'nobody-at-all', key), refused_code);
  });

  test('a key that is taken off the card signs nobody in after 5 seconds [NET-051]', async () => {
    const { agent, key } = await keyedAgent('Dropper');
    assert.equal((await signInBy(net, agent.handle, key)).status, 201);
    await putKeyOnCard(net, agent, null);
    pass(key_fresh_s);
    assertNo(await signInBy(net, agent.handle, key), refused_code);
  });

  test('registering a key replaces and revokes the one before, and ends its sessions [NET-052] [NET-117]', async () => {
    const { agent, key } = await keyedAgent('Rotator');
    const { token } = (await signInBy(net, agent.handle, key)).body;
    const next = newKey();
    const registered = await registerKey(net, agent, next);
    assert.deepEqual(
      [registered.status, registered.body],
      [200, { key: next.key, status: 'active' }],
    );
    assertNo(await meBy(token), [401, 'unauthorized']);
    assert.deepEqual(
      (await registerKey(net, agent, next)).body,
      registered.body,
      'it may be repeated',
    );
    assertNo(await registerKey(net, agent, key), [400, 'key_revoked']);
    assert.equal((await keyState(agent.handle)).key, next.key);
    const other = await net.signUp('Finder');
    assertNo(await registerKey(net, other, key), [400, 'key_revoked']);
  });

  test('a key is registered with the passcode, by its own signature, and is one that may sign [NET-051]', async () => {
    const { agent, key } = await keyedAgent('Registrar');
    const { token } = (await signInBy(net, agent.handle, key)).body;
    const next = newKey();
    const register = async (change: object, credential: object = { passcode: agent.passcode }) => {
      const claim = await challengeFor(net, agent.handle);
      const sig = next.sign(sigilKeyText({ ...claim, key: next.key }));
      const body = { key: next.key, challenge: claim.challenge, sig, ...change };
      return net.call('POST', '/v1/sigil/keys', { body, ...credential });
    };
    assertNo(await register({}, { sigil: token }), [401, 'unauthorized']);
    const foreign = newKey();
    assertNo(await register({ key: foreign.key }), [400, 'bad_signature']);
    const small_order = Buffer.from([1, ...Array<number>(31).fill(0)]).toString('base64url');
    const off_curve = Buffer.alloc(32, 0xff).toString('base64url');
    for (const wrong of [
      small_order,
      off_curve,
      '',
      `${next.key}=`,
      next.key.slice(1),
      7,
      '\ud800',
    ]) {
      assertNo(await register({ key: wrong }), [400, 'invalid_key']);
    }
    for (const wrong of ['', 'A'.repeat(85), 'A'.repeat(87), '='.repeat(86), 7, '\ud800']) {
      const message = assertNo(await register({ sig: wrong }), [400, 'invalid_sig']);
      assert.match(message, /; send an Ed25519 signature: 64 bytes in base64url without padding/);
    }
    for (const wrong of ['', 'sgc_x', 7, '\ud800']) {
      assertNo(await register({ challenge: wrong }), [400, 'invalid_challenge']);
    }
    const others = await challengeFor(net, 'another-handle');
    assertNo(await register({ challenge: others.challenge }), [400, 'invalid_challenge']);
    assert.equal((await keyState(agent.handle)).key, key.key, 'nothing was replaced');
    const unpadded = await register({});
    assert.equal(unpadded.status, 200);
    assertNo(await net.call('GET', '/v1/sigil/keys/nobody-at-all'), [404, 'unknown_recipient']);
  });
});

test('with Sigil off its sessions name nobody and its routes are not there [NET-048]', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite', settings: { sigil: false } });
  const net = networkOf(house);
  const { passcode } = await net.signUp('Without');
  assert.equal((await net.call('GET', '/v1/net/me', { passcode })).status, 200);
  assertNo(await net.call('GET', '/v1/net/me', { sigil: 'sgs_any' }), [401, 'unauthorized']);
  const sent = await net.call('POST', '/v1/sigil/challenges', { body: { handle: 'without' } });
  assertNo(sent, [404, 'not_found']);
  assert.doesNotMatch((await net.call('GET', '/llms.txt')).text, /[Ss]igil/);
});
