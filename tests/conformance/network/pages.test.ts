import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../support/bar-trust.ts';
import {
  assertNo,
  type NetworkApi,
  type NetworkReply,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

const browser = { accept: 'text/html' };

let house: TestHouse;
let net: NetworkApi;
before(async () => {
  house = await openNetworkHouse({
    engine: 'sqlite',
    limits: 'protocol',
    config: { trust_proxy: 1 },
  });
  net = networkOf(house);
});
after(() => house.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

const post = (path: string, fields: Record<string, string>, headers = {}): Promise<NetworkReply> =>
  net.call('POST', path, {
    body: new URLSearchParams(fields),
    headers: { ...browser, ...headers },
  });

const see = async (path: string, cookie = '') =>
  (await net.call('GET', path, { headers: { ...browser, cookie } })).text;

const headingOf = (text: string) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
/** What stands beside a field that is marked as wrong. */
const faultOf = (text: string, field: string) =>
  new RegExp(`name="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-fault"`).test(
    text,
  )
    ? new RegExp(`<p class="fault" id="${field}-fault">(.*)</p>`).exec(text)?.[1]
    : undefined;
const leadOf = (text: string) => /<p class="lead">(.*)<\/p>/.exec(text)?.[1];

async function visitor(name: string, address: string) {
  const { body } = await net.call('POST', '/v1/registrations', {
    body: { name },
    headers: from(address),
  });
  const { headers } = await net.call('POST', '/v1/sign-in', { body: { passcode: body.passcode } });
  return { ...body, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
}

test('a sign-up that is refused shows the form again with what was typed [NET-003] [NET-012]', async () => {
  const typed = {
    name: 'x'.repeat(81),
    description: '</textarea><script>"mine"</script>',
    capabilities: 'draw, "paint"',
    handler_name: 'Somebody',
    handler_email: 'somebody@handler.example',
  };
  const { status, text } = await post('/v1/registrations', typed);
  assert.equal(status, 400);
  assert.match(leadOf(text) ?? '', /^Nobody was signed up\. Correct what is marked below/);
  assert.equal(faultOf(text, 'name'), 'Use at most 80 characters; these are 81.');
  assert.equal(text.split('aria-invalid').length, 2, 'no other field is marked');
  assert.match(text, /<form class="fields" method="post" action="\/net\/v1\/registrations">/);
  assert.ok(text.includes(`name="name" value="${typed.name}"`));
  assert.ok(text.includes('rows="3">&lt;/textarea&gt;&lt;script&gt;&quot;mine&quot;'));
  assert.ok(text.includes('value="draw, &quot;paint&quot;"'));
  assert.ok(text.includes('value="Somebody"') && text.includes(`"${typed.handler_email}"`));
});

test('a form names the capability that is not taken, and one that is said twice counts once [NET-003]', async () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
  const cases: [string, RegExp][] = [
    [`draw,${'x'.repeat(65)}`, /^“x{30}…” is too long: a capability has at most 64 characters\.$/],
    ['draw,a\tb', /^“a\tb” has a line break or another control character in it; leave that out\.$/],
    [numbered(51).join(), /^Name at most 50 capabilities; these are 51\.$/],
    ['z'.repeat(4_001), /^“z{30}…” is too long/],
  ];
  for (const [capabilities, expected] of cases) {
    const { status, text } = await post('/v1/registrations', { name: 'Painter', capabilities });
    assert.equal(status, 400, text);
    assert.match(faultOf(text, 'capabilities') ?? '', expected);
    const body = new URLSearchParams({ name: 'Painter', capabilities });
    assertNo(await net.call('POST', '/v1/registrations', { body }), [400, 'invalid_capabilities']);
  }
  const capabilities = [...numbered(49), 'x'.repeat(64), 'c0', ' c0 ', ''].join(',');
  const headers = from('192.0.2.20');
  const made = await post('/v1/registrations', { name: 'Painter', capabilities }, headers);
  assert.equal(made.status, 201, made.text);
  const card = await net.call('GET', '/v1/net/cards/painter');
  assert.deepEqual(card.body.capabilities, [...numbered(49), 'x'.repeat(64)]);
});

test('every wrong field of a form is marked, each with words of its own [NET-003]', async () => {
  const typed = { name: '', description: 'a\0b', handler_email: 'x'.repeat(255) };
  const { text } = await post('/v1/registrations', typed);
  assert.equal(faultOf(text, 'name'), 'Give the agent a name.');
  assert.match(faultOf(text, 'description') ?? '', /such as a control character; leave it out\.$/);
  assert.equal(faultOf(text, 'handler_email'), 'Use at most 254 characters; these are 255.');
  assert.equal(faultOf(text, 'capabilities'), undefined);
  const empty = await post('/v1/sign-in', { next: '/' });
  assert.match(faultOf(empty.text, 'passcode') ?? '', /^Give the passcode/);
});

test('a form that is longer than any that is taken says so in its heading [NET-003]', async () => {
  const description = 'x'.repeat(20_000);
  const { status, text } = await post('/v1/registrations', { name: 'Long', description });
  assert.deepEqual([status, headingOf(text)], [413, 'This is too much at once']);
});

test('a sign-up by the form leads on by links, and its passcode stands once [NET-012] [NET-015]', async () => {
  const { text } = await post('/v1/registrations', { name: 'Led On' }, from('192.0.2.21'));
  const base = house.house.rooms.network;
  for (const href of ['/net/?next=/inbox', `${base}/led-on/.profile`, '/net/llms.txt']) {
    assert.ok(text.includes(`<a href="${href}">`), href);
  }
  assert.equal(text.split('nip_').length, 2);
});

test('that sign-up is paused stands on the pages and in the manual before anybody tries [NET-034]', async () => {
  const pages = () => Promise.all(['/', '/join', '/llms.txt'].map((path) => see(path)));
  for (const text of await pages()) assert.doesNotMatch(text, /paused/i);
  await house.command('network', 'registration', { state: 'paused' });
  const [home = '', join = '', manual = ''] = await pages();
  assert.match(home, /<strong>Agent sign up<\/strong><p>Paused: the operator/);
  assert.match(join, /<p class="notice"><strong>Sign-up is paused\.<\/strong>/);
  assert.match(manual, /^Sign-up is paused: .* \(503 signup_paused\)\.$/m);
  const refused = await post('/v1/registrations', { name: 'Too Early' });
  assert.equal(refused.status, 503);
  assert.equal(headingOf(refused.text), 'Sign-up is paused');
  assert.match(leadOf(refused.text) ?? '', /^The operator of this house has paused new accounts\./);
  assert.match(refused.text, /name="name" value="Too Early"/);
  await house.command('network', 'registration', { state: 'open' });
  for (const text of await pages()) assert.doesNotMatch(text, /paused/i);
});

test('the directory says how many cards a search finds, on every page of them [NET-086]', async () => {
  for (const [index, name] of ['Counted', 'Counted', 'Counted'].entries()) {
    await visitor(name, `192.0.2.${30 + index}`);
  }
  for (const path of ['/agents?q=counted', '/agents?q=counted&limit=1&after=counted']) {
    assert.match(await see(path), /<p class="soft">3 cards<\/p>/, path);
  }
  assert.match(await see('/agents?q=counted-3'), /<p class="soft">1 card<\/p>/);
  assert.doesNotMatch(await see('/agents?q=nobody-at-all'), /cards?<\/p>\s*<ul/);
});

test('who signs up too often by the form reads how many minutes to wait [NET-030]', async () => {
  const headers = from('192.0.2.7');
  for (let index = 0; index < 3; index += 1) {
    assert.equal((await post('/v1/registrations', { name: 'Often' }, headers)).status, 201);
  }
  const refused = await post('/v1/registrations', { name: 'Once More' }, headers);
  assert.equal(refused.status, 429);
  assert.equal(headingOf(refused.text), 'Too often for now');
  assert.equal(
    leadOf(refused.text),
    'You have done this too often for now. Try again in 60 minutes.',
  );
  assert.match(refused.text, /name="name" value="Once More"/);
});

test('a wrong passcode shows the form again, without what was typed [NET-038]', async () => {
  const { status, text } = await post('/v1/sign-in', { passcode: 'nip_wrong', next: '/inbox' });
  assert.equal(status, 401);
  assert.equal(headingOf(text), 'Sign-in failed');
  assert.match(leadOf(text) ?? '', /^No agent has this passcode\. Send the passcode that/);
  assert.match(text, /name="next" value="\/inbox"/);
  assert.match(text, /type="password" name="passcode" required/);
  assert.ok(!text.includes('nip_wrong'));
});

test('JSON that is called a form is told its content type [NET-012]', async () => {
  const refused = await net.call('POST', '/v1/registrations', {
    body: '{"name":"Third"}',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const message = assertNo(refused, [415, 'unsupported_media_type']);
  assert.match(message, /send it with content-type: application\/json$/);
});

test('who has signed in finds the inbox and the way out on every page [NET-036]', async () => {
  const { handle, cookie } = await visitor('Insider', '192.0.2.8');
  for (const path of ['/', '/agents', '/inbox', '/join', '/?next=/', `/${handle}`, '/leora']) {
    const text = await see(path, cookie);
    const ways = /<nav class="rooms-ways"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '';
    assert.match(ways, /<a href="\/net\/inbox">Inbox<\/a>/, path);
    assert.match(
      ways,
      /action="\/net\/v1\/sign-out".*Signed in as <a href="\/net\/insider">/,
      path,
    );
    assert.doesNotMatch(ways, /Agent sign/, path);
    assert.match((await see(path)) ?? '', /<nav [\s\S]*Agent sign up[\s\S]*?<\/nav>/, path);
    const { headers } = await net.call('GET', path, { headers: { cookie } });
    assert.match(headers.get('cache-control') ?? '', /no-cache|no-store/, path);
  }
});

test('the inbox page names sender, time and trust, or says that there is nothing [NET-195]', async () => {
  const writer = await visitor('Writer', '192.0.2.9');
  const reader = await visitor('Reader', '192.0.2.10');
  assert.equal(leadOf(await see('/inbox', reader.cookie)), 'reader has received nothing yet.');
  const sent = await net.call('POST', '/v1/net/messages', {
    passcode: writer.passcode,
    body: { to: 'reader', text: 'two\n<lines>' },
  });
  assert.equal(sent.status, 202, sent.text);
  // Of a request that is answered at once there is no notice.
  const notice = /<strong>The house<\/strong>[\s\S]*You have a new contact request/;
  await eventually(async () => assert.match(await see('/inbox', reader.cookie), notice));
  const accepted = await net.call('POST', '/v1/net/requests/writer/accept', {
    passcode: reader.passcode,
    body: {},
  });
  assert.equal(accepted.status, 200, accepted.text);
  const text = await see('/inbox', reader.cookie);
  assert.match(
    text,
    /<a href="\/net\/writer"><strong>writer<\/strong><\/a> <span class="soft"><time datetime="[0-9T:.-]+Z">[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC<\/time>/,
  );
  assert.match(text, /<bdi>two\n&lt;lines&gt;<\/bdi><\/p>\n<p class="soft">Not signed<\/p>/);
  assert.match(text, notice);
});

test('the page of a card says each thing once, until the agent writes a README of its own [NET-067]', async () => {
  await visitor('Once Said', '192.0.2.11');
  const text = await see('/once-said');
  const shown = text.slice(text.indexOf('<main'), text.indexOf('<h2>For programs'));
  assert.equal(shown.split('Once Said').length, 2);
  assert.equal(shown.split('once-said@localhost').length, 2);
  assert.match(text, /<a href="\/net\/once-said\/\.profile\/raw\/branch\/main\/agent\.json">/);
});

test('a page that is not there says so in words for people', async () => {
  for (const [path, said] of [
    ['/nobody-here', 'There is no card of this handle'],
    ['/no/such/page', 'There is nothing here'],
  ] as const) {
    const { status, text } = await net.call('GET', path, { headers: browser });
    assert.equal(status, 404, path);
    assert.equal(leadOf(text), `${said}. The address may be mistyped, or what stood here is gone.`);
    assert.match(text, /<a href="[^"]*\/net\/">Back to network<\/a>/);
  }
});

test('home and directory say who the concierge is, and she is no agent that signed up [NET-066]', async () => {
  await using fresh = await openNetworkHouse({ engine: 'sqlite' });
  await networkOf(fresh).signUp('The Only One');
  const rooms = await (await fresh.fetch('/', { headers: browser })).text();
  assert.match(rooms, /<dt>agents<\/dt><dd>1<\/dd>/);
  for (const path of ['/', '/agents']) assert.match(await see(path), /house's own concierge/);
});
