import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

const half_day_s = 43_200;
const browser = { accept: 'text/html' };

let house: TestHouse;
let net: NetworkApi;
let agent: Agent;
before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite' });
  net = networkOf(house);
  agent = await net.signUp('Visitor');
});
after(() => house.close());

const signIn = (body: unknown, headers = {}) => net.call('POST', '/v1/sign-in', { body, headers });

/** The cookie as a browser sends it back. */
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

test('the front door shows agent sign up and agent sign in before the one for people [NET-011]', async () => {
  const { status, text, headers } = await net.call('GET', '/');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  const doors = text.slice(text.indexOf('class="doors"'));
  const up = doors.indexOf('<a href="/net/join">Agent sign up</a>');
  const into = doors.indexOf('<a href="/net/?next=/">Agent sign in</a>');
  const people = doors.indexOf('Sign up for people');
  assert.ok(up >= 0 && into > up && people > into, doors);
});

test("the house's own page leads to the front door and stays where it is [NET-039]", async () => {
  const response = await house.fetch('/', { redirect: 'manual' });
  assert.equal(response.status, 200);
  const base = house.house.rooms.network;
  assert.match(await response.text(), new RegExp(`<h2><a href="${base}/">network</a></h2>`));
});

test('signing in by the form sets the cookie and leads to next [NET-035]', async () => {
  const page = await net.call('GET', '/?next=/agents%3Fq=a');
  assert.equal(page.status, 200);
  assert.match(page.text, /<form[^>]* method="post" action="\/net\/v1\/sign-in"/);
  assert.match(page.text, /name="next" value="\/agents\?q=a"/);
  assert.match(page.text, /type="password" name="passcode"/);
  const { status, headers } = await signIn(
    new URLSearchParams({ passcode: agent.passcode, next: '/agents?q=a' }),
    browser,
  );
  assert.equal(status, 303);
  assert.equal(headers.get('location'), '/net/agents?q=a');
  assert.match(
    headers.get('set-cookie') ?? '',
    /^ni_agent=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/net; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('signing in by JSON answers who signed in and where to go [NET-035]', async () => {
  const { passcode, handle, address } = agent;
  const signed_in = await signIn({ passcode, next: '/inbox' });
  assert.equal(signed_in.status, 200);
  assert.deepEqual(signed_in.body, { handle, address, next: '/inbox' });
  assert.match(signed_in.headers.get('set-cookie') ?? '', /^ni_agent=/);
  assert.equal((await signIn({ passcode })).body.next, '/');
});

test('the cookie shows the agent as signed in on its pages, for twelve hours, and opens no route [NET-035] [NET-036]', async () => {
  const { passcode, handle } = agent;
  const cookie = cookieOf((await signIn({ passcode })).headers);
  const shows = async (headers: Record<string, string>) =>
    (await net.call('GET', '/', { headers })).text.includes('Signed in as');
  assert.equal(await shows({ cookie }), true);
  assert.equal(await shows({ cookie: `other=1; ${cookie}; more=2` }), true);
  assert.equal(await shows({ cookie: `${cookie}x` }), false);
  assert.equal(await shows({ cookie: `x${cookie}` }), false);
  assert.equal(await shows({}), false);
  const own = await net.call('GET', `/${handle}`, { headers: { cookie } });
  assert.match(own.text, /signed in/i);
  const seen_by_others = await net.call('GET', `/${handle}`);
  assert.doesNotMatch(seen_by_others.text, /signed in/i);
  assertNo(await net.call('GET', '/v1/net/me', { headers: { cookie } }), [401, 'unauthorized']);
  house.clock.advance((half_day_s - 1) * 1_000);
  assert.equal(await shows({ cookie }), true);
  house.clock.advance(1_000);
  assert.equal(await shows({ cookie }), false);
});

test('signing out ends the session and takes the cookie back [NET-035]', async () => {
  const { passcode } = agent;
  const cookie = cookieOf((await signIn({ passcode })).headers);
  const signed_out = await net.call('POST', '/v1/sign-out', {
    body: new URLSearchParams(),
    headers: { cookie, ...browser },
  });
  assert.equal(signed_out.status, 303);
  assert.equal(signed_out.headers.get('location'), '/net/');
  assert.match(signed_out.headers.get('set-cookie') ?? '', /^ni_agent=; Max-Age=0; /);
  const { text } = await net.call('GET', '/', { headers: { cookie } });
  assert.doesNotMatch(text, /Signed in as/);
  assert.deepEqual((await net.call('POST', '/v1/sign-out')).body, { signed_out: true });
});

test('a next that is no path of this host leads to / [NET-037]', async () => {
  const { passcode } = agent;
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
    ' /a',
    '/\u00a0/',
  ];
  for (const next of elsewhere) {
    assert.equal((await signIn({ passcode, next })).body.next, '/', next);
    const sent = await signIn(new URLSearchParams({ passcode, next }), browser);
    assert.equal(sent.headers.get('location'), '/net/', next);
    const shown = await net.call('GET', `/?next=${encodeURIComponent(next)}`);
    assert.match(shown.text, /name="next" value="\/"/, next);
  }
  for (const next of ['/', '/agents', '/visitor/.profile?x=//y#z']) {
    assert.equal((await signIn({ passcode, next })).body.next, next);
  }
});

test('a wrong passcode answers 401 and sets no cookie [NET-038]', async () => {
  for (const passcode of ['nip_wrong', '', `${agent.passcode} `, 'p'.repeat(200)]) {
    const refused = await signIn({ passcode });
    assertNo(refused, [401, 'unauthorized']);
    assert.equal(refused.headers.get('set-cookie'), null);
  }
  const by_form = await signIn(new URLSearchParams({ passcode: 'nip_wrong' }), browser);
  assert.equal(by_form.status, 401);
  assert.match(by_form.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal(by_form.headers.get('set-cookie'), null);
  assertNo(await signIn({ passcode: 'p'.repeat(201) }), [400, 'invalid_passcode']);
  assertNo(await signIn({ passcode: '\ud800' }), [400, 'invalid_passcode']);
  assertNo(await signIn({}), [400, 'invalid_passcode']);
  assertNo(await signIn({ passcode: agent.passcode, next: 7 }), [400, 'invalid_next']);
});

test('a page of another site can sign nobody in, up or out by its form [NET-035]', async () => {
  const { passcode } = agent;
  const { host, origin } = new URL(house.house.listening);
  const by_form = new URLSearchParams({ passcode });
  const cookie = cookieOf((await signIn(by_form)).headers);
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    { 'sec-fetch-site': 'same-site', origin: `http://other.${host}` },
    // As browsers send it that know no Sec-Fetch-Site.
    ...[
      'https://evil.example',
      `http://${host}.evil.example`,
      'http://127.0.0.1:1',
      'null',
      '%',
    ].map((other) => ({ origin: other })),
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  ];
  for (const [index, sender] of foreign.entries()) {
    const headers = { ...sender, ...browser };
    const sent = await signIn(by_form, headers);
    assert.equal(sent.status, 400, JSON.stringify(sender));
    assert.equal(sent.headers.get('set-cookie'), null);
    const name = `Crossed ${index}`;
    const body = new URLSearchParams({ name });
    const signed_up = await net.call('POST', '/v1/registrations', { body, headers });
    assert.equal(signed_up.status, 400);
    assert.equal((await net.signUp(name)).handle, `crossed-${index}`);
    const out = { body: new URLSearchParams(), headers: { ...headers, cookie } };
    assert.equal((await net.call('POST', '/v1/sign-out', out)).status, 400);
  }
  const still = await net.call('GET', '/', { headers: { cookie } });
  assert.match(still.text, /Signed in as/);
  for (const sender of [
    {},
    { origin },
    { origin: origin.toUpperCase().replace('HTTP', 'http') },
    { 'sec-fetch-site': 'same-origin', origin },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { 'sec-fetch-site': 'none' },
  ]) {
    const sent = await signIn(by_form, { ...sender, ...browser });
    assert.equal(sent.status, 303, JSON.stringify(sender));
  }
  // Without it, browsers that say nothing else would not name the origin of our own forms.
  const page = await net.call('GET', '/join');
  assert.equal(page.headers.get('referrer-policy'), 'same-origin');
});
