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

type Reader = Agent & { readonly cookie: string };

const browser = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
const shown_max = 20;

let house: TestHouse;
let net: NetworkApi;
before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite' });
  net = networkOf(house);
});
after(() => house.close());

/** An agent that has signed in on pages. */
async function openReader(name: string): Promise<Reader> {
  const agent = await net.signUp(name);
  const { passcode } = agent;
  const { headers } = await net.call('POST', '/v1/sign-in', { body: { passcode } });
  return { ...agent, cookie: (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '' };
}

/** A stranger asks; answers who it is and the id of its request. */
async function ask(reader: Agent, name: string, text = 'Shall we talk?') {
  const sender = await net.signUp(name);
  const sent = await net.call('POST', '/v1/net/messages', {
    passcode: sender.passcode,
    body: { to: reader.handle, text },
  });
  assert.equal(sent.status, 202, sent.text);
  return { ...sender, id: String(sent.body.request.id) };
}

const inboxOf = async ({ cookie }: Reader) =>
  (await net.call('GET', '/inbox', { headers: { ...browser, cookie } })).text;

/** Presses a button of the page. */
const press = ({ cookie }: { cookie: string }, id: string, verb: string, headers = {}) =>
  net.call('POST', `/inbox/requests/${id}/${verb}`, {
    body: new URLSearchParams(),
    headers: { ...browser, cookie, ...headers },
  });

const outgoingOf = async ({ passcode }: Agent) => {
  const { body } = await net.call('GET', '/v1/net/requests', { passcode });
  return body.outgoing.map(({ status }: { status: string }) => status);
};

const incomingOf = async ({ passcode }: Agent) =>
  (await net.call('GET', '/v1/net/requests', { passcode })).body.incoming.length;

const leadOf = (text: string) => /<p class="lead">(.*)<\/p>/.exec(text)?.[1];

test('the inbox page shows who asks and what, with a form for each answer; it leads back [NET-129] [NET-132] [NET-133] [NET-135]', async () => {
  const reader = await openReader('Reader');
  const stands = [
    ['accept', 'accepted'],
    ['decline', 'declined'],
    // Who is blocked never learns it.
    ['block', 'pending'],
  ] as const;
  for (const [verb, status] of stands) {
    const sender = await ask(reader, `To ${verb}`, 'two\n<lines>');
    const before = await inboxOf(reader);
    assert.match(before, /<h2 id="requests">Contact requests<\/h2>/);
    assert.match(before, new RegExp(`<a href="/net/to-${verb}"><strong>to-${verb}</strong></a>`));
    assert.match(before, /<bdi>two\n&lt;lines&gt;<\/bdi><\/p>\n<p class="soft">Not signed<\/p>/);
    for (const [each] of stands) {
      assert.ok(before.includes(`method="post" action="/net/inbox/requests/${sender.id}/${each}"`));
    }
    const answered = await press(reader, sender.id, verb);
    assert.equal(answered.status, 303, answered.text);
    assert.equal(answered.headers.get('location'), '/net/inbox');
    assert.deepEqual(await outgoingOf(sender), [status]);
    const after = await inboxOf(reader);
    assert.doesNotMatch(after, /Contact requests/);
    assert.equal(after.includes('<bdi>two\n&lt;lines&gt;</bdi>'), true, 'what was accepted stays');
    assert.equal(after.includes(`<strong>to-${verb}</strong>`), verb === 'accept');
  }
});

test('the forms answer for who has signed in on the page, and for no credential [NET-002] [NET-138]', async () => {
  const reader = await openReader('Owner');
  const other = await openReader('Other');
  const { id } = await ask(reader, 'Asks Owner');
  const nobody = await press({ cookie: '' }, id, 'accept');
  assert.equal(nobody.status, 401);
  assert.match(nobody.text, /<h1>You are not signed in<\/h1>/);
  assert.match(leadOf(nobody.text) ?? '', /^Nobody is signed in here any more\. Sign in with/);
  const path = `/inbox/requests/${id}/accept`;
  const { passcode, cookie } = reader;
  assertNo(await net.call('POST', path, { passcode, body: {} }), [401, 'unauthorized']);
  const foreign = await press(other, id, 'accept');
  assert.equal(foreign.status, 404);
  assert.doesNotMatch(foreign.text, /asks-owner/);
  assert.equal(await incomingOf(reader), 1);
  const as_json = await net.call('POST', path, { body: {}, headers: { cookie } });
  assert.deepEqual([as_json.status, as_json.body.request.status], [200, 'accepted']);
});

test('a page of another site can answer no request by the forms', async () => {
  const reader = await openReader('Lured');
  const { id } = await ask(reader, 'Lures');
  const { host } = new URL(house.house.listening);
  for (const sender of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: `http://other.${host}` },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
  ]) {
    for (const verb of ['accept', 'decline', 'block']) {
      const refused = await press(reader, id, verb, sender);
      assert.equal(refused.status, 400, JSON.stringify(sender));
      const bare = await net.call('POST', `/inbox/requests/${id}/${verb}`, {
        headers: { cookie: reader.cookie, 'sec-fetch-site': 'cross-site' },
      });
      assert.equal(bare.status, 400);
    }
  }
  assert.equal(await incomingOf(reader), 1);
});

test('an answer that comes too late is told above the inbox [NET-138]', async () => {
  const reader = await openReader('Late');
  const { id } = await ask(reader, 'Asks Late');
  const waits = await ask(reader, 'Waits Yet');
  assert.equal((await press(reader, id, 'decline')).status, 303);
  assert.equal((await press(reader, id, 'decline')).status, 303);
  const refused = await press(reader, id, 'accept');
  assert.equal(refused.status, 409);
  assert.match(refused.text, /<p class="status">409<\/p>\n<h1>This request was answered before</);
  assert.match(leadOf(refused.text) ?? '', /answered/);
  assert.ok(refused.text.includes(`/net/inbox/requests/${waits.id}/accept`));
});

test('to who blocks a sender its later request is one that never was [NET-133] [NET-149]', async () => {
  const reader = await openReader('Blocker');
  const sender = await net.signUp('Blocked');
  const { passcode } = reader;
  await net.call('POST', '/v1/net/requests/blocked/block', { passcode, body: {} });
  const sent = await net.call('POST', '/v1/net/messages', {
    passcode: sender.passcode,
    body: { to: 'blocker', text: 'Are you there?' },
  });
  const { id } = sent.body.request;
  assert.equal(leadOf(await inboxOf(reader)), 'blocker has received nothing yet.');
  assert.doesNotMatch(await inboxOf(reader), /Contact requests|blocked/);
  const ofNone = (text: string) => text.replaceAll(/rq_[\w-]+/g, 'rq');
  for (const verb of ['accept', 'decline', 'block']) {
    const hidden = await press(reader, id, verb);
    const unknown = await press(reader, `${id.slice(0, -1)}_`, verb);
    assert.equal(hidden.status, 404);
    assert.deepEqual([unknown.status, ofNone(unknown.text)], [404, ofNone(hidden.text)]);
  }
  assert.deepEqual(await outgoingOf(sender), ['pending']);
});

test('of many requests the page shows the oldest, and how many wait', async () => {
  const reader = await openReader('Wanted');
  for (let index = 1; index <= shown_max + 1; index += 1) await ask(reader, `Fan ${index}`);
  const text = await inboxOf(reader);
  assert.match(text, /<p class="soft">21 wait; these are the oldest 20\. Who is accepted/);
  assert.ok(text.includes('<strong>fan-1</strong>') && text.includes('<strong>fan-20</strong>'));
  assert.ok(!text.includes('<strong>fan-21</strong>'));
});
