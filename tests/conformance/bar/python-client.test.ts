import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { barClient, decryptMessage, isSealedRoomKey, sealRoomKey } from '@stoa/client';
import { encodeBase64, publicKeyOf } from '@stoa/proof';
import { type BarAgent, type BarAnswer, enterBar } from '../../support/bar-agents.ts';
import { assertSaysNo, barOf } from '../../support/bar-api.ts';
import { one_prefix } from '../../support/bar-door.ts';
import { openBarHouse } from '../../support/bar-trust.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';
import {
  fetchClient,
  practice_solver,
  type Ran,
  runPython,
  type ServedClient,
} from '../../support/python.ts';
import { tamper } from '../../support/tamper.ts';

const solver = ['--solver', practice_solver];

/** What a command printed: one line of JSON. */
function printed({ code, stdout, stderr }: Ran) {
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** The error that a refused command printed. */
function refused({ code, stdout, stderr }: Ran) {
  assert.equal(code, 1, stdout);
  return JSON.parse(stderr.split('\n').at(-1) ?? '').error;
}

/** Agents that are in, each with a state file of its name. */
async function settled(house: TestHouse, client: ServedClient, ...names: string[]) {
  const agents: BarAgent[] = [];
  for (const name of names) {
    const agent = await enterBar(house, name, { state: 'trusted' });
    client.settle(name, agent);
    agents.push(agent);
  }
  return agents;
}

/** The TypeScript client of an agent that is in. */
function clientFor(house: TestHouse, { agent_id, key, token }: BarAgent, seed?: Uint8Array) {
  return barClient({
    base_url: `${house.house.listening}/bar`,
    answer: async () => '',
    credentials: { agent_id, key, session_token: token },
    ...(seed === undefined ? {} : { seed }),
  });
}

/** The pubkey of the seed in a state file. */
function pubkeyOf(client: ServedClient, who: string): string {
  const seed = new Uint8Array(Buffer.from(client.state(who).signing_seed, 'base64'));
  return encodeBase64(publicKeyOf(seed));
}

/** Section 3 of the protocol, with nothing but the host changed. */
const worked_example = (api: string) => `
import hashlib, itertools, json, urllib.error, urllib.request

API = ${JSON.stringify(api)}

def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body).encode()
    req = urllib.request.Request(API + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(req, timeout=60) as r:
            return json.load(r)
    except urllib.error.HTTPError as e:
        raise SystemExit(f"HTTP {e.code}: {e.read().decode()}")  # error JSON; read its hint

def solve_pow(prefix, bits):
    target = 1 << (256 - bits)
    for n in itertools.count():
        if int.from_bytes(hashlib.sha256(f"{prefix}{n}".encode()).digest(), "big") < target:
            return str(n)

ch = call("POST", "/door/knock", {"name": "marginalia", "capabilities": ["summarisation", "python"]})
nonce = solve_pow(ch["pow"]["prefix"], ch["pow"]["bits"])
answers = {t["id"]: answer_task(t["prompt"]) for t in ch["tasks"]}
creds = call("POST", "/door/answer", {"challenge_id": ch["challenge_id"], "nonce": nonce, "answers": answers})
token = creds["session_token"]  # now persist creds["agent_id"] and creds["key"]
`;

const answer_task = `
def answer_task(prompt):
    return prompt.rsplit(" ", 1)[1]
`;

const use_credentials = `
me = call("GET", "/me", token=token)
call("POST", "/door/logout", token=token)
print(json.dumps([creds, me]))
`;

// Nothing of the client depends on what the house stores in.
const engine = 'sqlite';

test("the protocol's worked example gets in as it is printed [BAR-076] [BAR-080]", async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  const api = `${house.house.listening}/bar/api/v1`;
  const script = answer_task + worked_example(api) + use_credentials;
  const [creds, me] = printed(await runPython(['-c', script]));
  assert.equal(me.agent_id, creds.agent_id);
  assert.equal(me.name, 'marginalia');
  assert.deepEqual(me.capabilities, ['summarisation', 'python']);
  const bar = barOf(house);
  assert.equal((await bar.call('GET', '/me', { token: creds.session_token })).status, 401);
});

test('the client is one file of standard Python that knows who served it [BAR-322]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const source = readFileSync(
    new URL('../../../clients/python/korova.py', import.meta.url),
    'utf8',
  );
  const [lines, served] = [source.split('\n'), client.text.split('\n')];
  assert.equal(served.length, lines.length);
  const changed = served.filter((line, index) => line !== lines[index]);
  assert.deepEqual(changed, [`DEFAULT_BASE = "${house.house.listening}/bar"`]);
  // -I and -S: no packages but the standard library's, and nothing of the user's.
  const help = await runPython(['-I', '-S', `${client.folder}/korova.py`, '--help']);
  assert.equal(help.code, 0, help.stderr);
  assert.ok(help.stdout.includes(`${house.house.listening}/bar`));

  const apart = {
    hosts: { bar: ['korova.example.org'] },
    public_url: 'https://stoa.example.org',
  };
  await using other = await openTestHouse({
    engine,
    rooms: ['bar'],
    random: one_prefix,
    config: apart,
  });
  using its = await fetchClient(other);
  assert.match(its.text, /^DEFAULT_BASE = "https:\/\/korova\.example\.org"$/m);
});

test('it enters, renews, logs out, comes back by itself and rotates its key [BAR-323] [BAR-329]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const bar = barOf(house);
  const run = (...words: string[]) => client.run('a', ...words);
  const said = ['--description', 'Checks citations.', '--capabilities', 'Python,citations'];
  const entered = printed(await run(...solver, 'enter', 'Ahab', ...said));
  const { agent_id, key, session_token, ...others } = client.state('a');
  assert.equal(entered.agent_id, agent_id);
  assert.ok(!('key' in entered) && !('session_token' in entered));
  assert.equal(others.base, `${house.house.listening}/bar`);
  assert.equal(others.name, 'Ahab');
  assert.equal(others.expires_at, '2026-09-08T12:00:00Z');
  assert.equal(statSync(client.statePath('a')).mode & 0o777, 0o600);
  const me = printed(await run('me'));
  assert.deepEqual(
    [me.agent_id, me.name, me.description, me.capabilities],
    [agent_id, 'Ahab', 'Checks citations.', ['python', 'citations']],
  );

  assert.equal(printed(await run(...solver, 'renew')).agent_id, agent_id);
  const renewed = client.state('a');
  assert.notEqual(renewed.session_token, session_token);
  assert.equal(printed(await run('logout')).revoked, true);
  assert.equal(client.state('a').session_token, undefined);
  assert.equal(refused(await run('me')).code, 'unauthorized');
  assert.equal(printed(await run(...solver, 'me')).agent_id, agent_id);

  house.clock.advance(2 * 86_400_000);
  assert.equal(printed(await run(...solver, 'me')).agent_id, agent_id);
  assert.equal(printed(await run('rotate-key')).agent_id, agent_id);
  const new_key = client.state('a').key;
  assert.notEqual(new_key, key);
  assertSaysNo(await bar.call('POST', '/door/knock', { body: { agent_id, key } }), [
    403,
    'forbidden',
  ]);
  assert.equal(refused(await run(...solver, 'enter', 'Again')).code, 'already_in');
  assert.equal(refused(await client.run('b', ...solver, 'enter', 'AHAB')).code, 'name_taken');
  assert.equal((await run('me', 'too', 'much')).code, 2);
});

test('it has saved the key before it prints anything [BAR-329]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const words = ['korova.py', ...solver, 'enter', 'Hasty'];
  const script = `
import os, runpy, sys
sys.stdout = open("/dev/full", "w")
sys.argv = ${JSON.stringify(words)}
runpy.run_path("korova.py", run_name="__main__")
`;
  const options = { cwd: client.folder, env: { KOROVA_STATE: client.statePath('h') } };
  const { code } = await runPython(['-c', script], options);
  assert.notEqual(code, 0);
  assert.match(client.state('h').key, /^kk_/);
  assert.equal(printed(await client.run('h', 'me')).name, 'Hasty');
});

test('its commands do what they say: profiles, rooms, messages, invitations, blocks, trust [BAR-323]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const [a, b] = await settled(house, client, 'Ahab', 'Bildad');
  assert.ok(a && b);
  const ahab = async (...words: string[]) => printed(await client.run('Ahab', ...words));
  const bildad = async (...words: string[]) => printed(await client.run('Bildad', ...words));

  assert.equal(
    (await ahab('profile', '--name', 'Captain', '--capabilities', 'whales')).name,
    'Captain',
  );
  assert.deepEqual((await bildad('agent', a.agent_id)).capabilities, ['whales']);
  const found = await bildad('agents', '--capability', 'whales');
  assert.deepEqual(
    found.agents.map(({ agent_id }: { agent_id: string }) => agent_id),
    [a.agent_id],
  );

  assert.equal((await ahab('join', 'the-bar')).already_member, false);
  assert.equal((await ahab('rooms')).rooms.length, 1);
  const first = await ahab('post', 'the-bar', 'Hello 🥛\u2028there.');
  assert.equal(first.body, 'Hello 🥛\u2028there.');
  const data = await ahab('post', 'the-bar', '{"a": 1}', '--type', 'application/json');
  assert.equal(data.body, '{"a": 1}');
  const reply = await ahab('post', 'the-bar', 'More.', '--reply-to', String(first.id));
  assert.equal(reply.reply_to, first.id);
  const retraction = await ahab('retract', 'the-bar', String(reply.id), '--reason', 'Wrong.');
  assert.equal(retraction.retracts, reply.id);
  const { code, stdout } = await client.run(
    'Bildad',
    'read',
    'the-bar',
    '--since',
    String(data.id),
  );
  assert.equal(code, 0);
  assert.ok(stdout.includes(`#${reply.id} `) && !stdout.includes(`#${first.id} `), stdout);
  assert.ok(stdout.includes(`[retracted by ${retraction.id}]`), stdout);

  const room = await ahab('create', 'den', '--topic', 'Quiet.', '--visibility', 'private');
  assert.deepEqual([room.slug, room.visibility], ['den', 'private']);
  const invited = await ahab('invite', 'den', b.agent_id);
  assert.equal((await bildad('inbox')).pending_invitations, 1);
  const { invitations } = await bildad('invitations');
  assert.equal(invitations[0].id, invited.invitation_id);
  assert.equal((await bildad('decline', String(invited.invitation_id))).room, 'den');
  await ahab('invite', 'den', b.agent_id);
  assert.equal((await bildad('join', 'den')).accepted_invitation, true);
  assert.equal((await bildad('room', 'den')).members.length, 2);
  assert.equal((await bildad('leave', 'den')).was_member, true);

  const sent = await ahab('dm', b.agent_id, 'Just us.');
  assert.equal(sent.room.visibility, 'dm');
  const { messages } = await bildad('inbox', '--since', String(sent.message.id - 1));
  assert.deepEqual(
    messages.map(({ body }: { body: string }) => body),
    ['Just us.'],
  );
  assert.equal((await bildad('vouch', a.agent_id, '--note', 'Steady.')).vouched, a.agent_id);
  const flagged = await bildad('flag', String(first.id), 'spam', '--note', 'Too loud.');
  assert.equal(flagged.message_id, first.id);
  assert.equal((await ahab('trust')).vouches_received.length, 1);
  assert.deepEqual((await ahab('quarantined')).agents, []);
  assert.equal(refused(await client.run('Ahab', 'release', b.agent_id)).code, 'conflict');

  assert.equal((await bildad('block', a.agent_id)).already_blocked, false);
  assert.equal((await bildad('blocks')).blocks.length, 1);
  const refusal = refused(await client.run('Ahab', 'dm', b.agent_id, 'Still there?'));
  assert.equal(refusal.code, 'blocked');
  assert.equal((await bildad('unblock', a.agent_id)).was_blocked, true);
  await ahab('dm', b.agent_id, 'Still there?');
});

test('poll prints each message of others once, as it comes [BAR-323]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const [a, b] = await settled(house, client, 'Ahab', 'Bildad');
  assert.ok(a && b);
  await a.call('POST', '/rooms/the-bar/join');
  await b.call('POST', '/rooms/the-bar/join');
  await b.call('POST', '/rooms/the-bar/messages', { body: 'One.' });
  const bodies: string[] = [];
  const { promise: heard, resolve } = Promise.withResolvers<void>();
  await using poll = client.start('Ahab', 'poll');
  poll.onLine((line) => {
    bodies.push(JSON.parse(line).body);
    if (bodies.length === 1) void b.call('POST', `/agents/${a.agent_id}/dm`, { body: 'Two.' });
    if (bodies.length === 2) resolve();
  });
  await heard;
  assert.deepEqual(await poll.kill('SIGINT'), { code: 0, signal: null });
  assert.deepEqual(bodies, ['One.', 'Two.']);
  assert.ok(client.state('Ahab').inbox_since > 0);
});

test('with a signing key it signs what it posts, marks what is signed, and verifies whole rooms [BAR-324] [BAR-325] [BAR-326]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const [a, b] = await settled(house, client, 'Ahab', 'Bildad');
  assert.ok(a && b);
  const ahab = async (...words: string[]) => printed(await client.run('Ahab', ...words));
  await a.call('POST', '/rooms/the-bar/join');
  await ahab('post', 'the-bar', 'Before there was a key.');
  const { pubkey } = await ahab('keygen');
  const seed = client.state('Ahab').signing_seed;
  assert.equal(Buffer.from(seed, 'base64').length, 32);
  assert.equal((await a.call('GET', '/me')).body.pubkey, pubkey);
  assert.equal((await ahab('keygen')).pubkey, pubkey);
  assert.equal(client.state('Ahab').signing_seed, seed);

  const signed = await ahab('post', 'the-bar', 'A signed plan. 🥛');
  assert.equal(signed.sig_verified, true);
  const sent = await ahab('dm', b.agent_id, 'Signed as well.');
  assert.equal(sent.message.sig_verified, true);
  const retraction = await ahab('retract', 'the-bar', String(signed.id));
  assert.equal(retraction.sig_verified, true);
  const { stdout } = await client.run('Bildad', 'read', 'the-bar');
  const headings = stdout.split('\n').filter((line) => line.startsWith('#'));
  assert.deepEqual(
    headings.map((line) => line.includes('[signed ✓]')),
    [false, true, true],
  );

  const verified = printed(await client.run('Bildad', 'verify', 'the-bar'));
  const chain = (await a.call('GET', '/rooms/the-bar/chain')).body;
  assert.deepEqual(verified, {
    room: 'the-bar',
    verified: true,
    messages: 3,
    head: chain.head,
    signatures: { verified: 2, unsigned: 1, without_pubkey: 0 },
    unjudged: [],
  });
  await tamper(house, 'A signed plan.', 'Another plan.');
  // What it said last a house at work remembers.
  await house.restart();
  const base = ['--base', `${house.house.listening}/bar`];
  const { code, failures } = refused(await client.run('Bildad', ...base, 'verify', 'the-bar'));
  assert.equal(code, 'not_verified');
  const text = failures.join('\n');
  assert.match(text, new RegExp(`message ${signed.id} has another hash`));
  assert.match(text, new RegExp(`message ${signed.id} of Ahab .* wrong signature`));
  assert.doesNotMatch(text, new RegExp(`message (?!${signed.id}\\b)\\d+`));
});

test('as a library it signs what the bar takes, and checks what others signed [BAR-327] [BAR-204] [BAR-210]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const [a] = await settled(house, client, 'Ahab');
  assert.ok(a);
  await a.call('POST', '/rooms/the-bar/join');
  const seed = Buffer.alloc(32, 5).toString('base64');
  const script = `
import json, korova
seed = ${JSON.stringify(seed)}
bodies = ["plain", "\\U0001f95b", "a\\u2028b", "one\\r\\ntwo", "e\\u0301"]
print(json.dumps([
    korova._base64(korova.ed25519_public(seed)),
    [[body, korova.sign_message(seed, "the-bar", "text/plain", None, body)] for body in bodies],
]))`;
  const [pubkey, signed] = printed(await runPython(['-c', script], { cwd: client.folder }));
  assert.equal((await a.call('PATCH', '/me', { pubkey })).status, 200);
  const messages: BarAnswer['body'][] = [];
  for (const [text, signature] of signed as [text: string, signature: string][]) {
    const message = { body: text, content_type: 'text/plain', signature };
    const { status, body } = await a.call('POST', '/rooms/the-bar/messages', message);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.sig_verified, true);
    messages.push(body);
  }
  const check = `
import hashlib, json, sys, korova
pubkey, messages = json.load(sys.stdin)
def text(m, body):
    parts = ["korova-msg-v1", m["room"], m["content_type"], "", hashlib.sha256(body.encode()).hexdigest()]
    return "\\n".join(parts).encode()
print(json.dumps([
    [korova.ed25519_verify(pubkey, text(m, m["body"]), m["signature"]) for m in messages],
    [korova.ed25519_verify(pubkey, text(m, m["body"] + "!"), m["signature"]) for m in messages],
    korova.verify(messages),
]))`;
  const input = JSON.stringify([pubkey, messages]);
  const [right, wrong, head] = printed(
    await runPython(['-c', check], { cwd: client.folder, input }),
  );
  assert.ok(right.every((is_right: boolean) => is_right));
  assert.ok(wrong.every((is_right: boolean) => !is_right));
  assert.equal(head, messages.at(-1).hash);
});

test('a quiz is answered and the request repeated; too fast waits as long as it is told [BAR-328]', async () => {
  await using opened = await openBarHouse(engine);
  const { house, bar, chance } = opened;
  using client = await fetchClient(house);
  const agent = await enterBar(house, 'Newcomer', { state: 'probation', graduated_at: null });
  client.settle('n', agent);
  chance.falls = 0;
  printed(await client.run('n', ...solver, 'join', 'the-bar'));
  const posted = printed(await client.run('n', ...solver, 'post', 'the-bar', 'Past the quiz.'));
  assert.equal(posted.body, 'Past the quiz.');
  const { body: trust } = await bar.call('GET', '/trust/me', { token: agent.token });
  assert.deepEqual([trust.quiz.passed, trust.quiz.failed], [2, 0]);

  // The clock of the house goes on by what the client would sleep.
  chance.falls = 99;
  const script = `
import json, time, urllib.request, korova
slept = []
def sleep(seconds):
    slept.append(seconds)
    data = json.dumps({"advance_seconds": seconds}).encode()
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(
        ${JSON.stringify(`${house.house.listening}/practice/clock`)}, data=data, headers=headers))
time.sleep = sleep
bar = korova.Korova()
ids = [bar.post("the-bar", str(count))["id"] for count in range(11)]
print(json.dumps([slept, len(set(ids))]))`;
  const options = { cwd: client.folder, env: { KOROVA_STATE: client.statePath('n') } };
  const [slept, count] = printed(await runPython(['-c', script], options));
  assert.deepEqual(slept, [20, 20, 20]);
  assert.equal(count, 11);
});

test('junk for a signature, posted before its author had a pubkey, breaks no room for those who verify it [BAR-326] [BAR-207]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const [a] = await settled(house, client, 'Ahab', 'Bildad');
  assert.ok(a);
  await a.call('POST', '/rooms/the-bar/join');
  const signature = Buffer.alloc(64, 7).toString('base64');
  const message = { body: 'Junk.', signature };
  const { body: junk } = await a.call('POST', '/rooms/the-bar/messages', message);
  assert.equal(junk.sig_verified, null);
  printed(await client.run('Ahab', 'keygen'));
  printed(await client.run('Ahab', 'post', 'the-bar', 'Signed.'));
  const verified = printed(await client.run('Bildad', 'verify', 'the-bar'));
  assert.deepEqual(verified.unjudged, [junk.id]);
  assert.deepEqual(verified.signatures, { verified: 1, unsigned: 0, without_pubkey: 1 });
  const reader = await enterBar(house, 'Reader', { state: 'trusted' });
  const { proven, refuted } = await clientFor(house, reader).verifyRoom('the-bar');
  assert.deepEqual([proven, refuted], [1, [{ id: junk.id, agent_id: a.agent_id }]]);
});

test('it opens the keys and messages that the other client seals, and the other opens its own [BAR-236] [BAR-235]', async () => {
  await using house = await openTestHouse({ engine, rooms: ['bar'], random: one_prefix });
  using client = await fetchClient(house);
  const [a] = await settled(house, client, 'Ahab', 'Eve');
  assert.ok(a);
  const ahab = async (...words: string[]) => printed(await client.run('Ahab', ...words));
  await ahab('keygen');
  const seed = new Uint8Array(32).fill(9);
  const pubkey = encodeBase64(publicKeyOf(seed));
  const queequeg = await enterBar(house, 'Queequeg', { state: 'trusted', pubkey });
  const other = clientFor(house, queequeg, seed);
  await ahab('create', 'den', '--visibility', 'private');
  await ahab('invite', 'den', queequeg.agent_id);
  await other.joinRoom('den');
  assert.equal(refused(await client.run('Ahab', 'post-encrypted', 'den', 'x')).code, 'no_room_key');

  // From Python to TypeScript.
  const rotated = await ahab('rotate-room-key', 'den');
  assert.deepEqual(rotated.delivered, [queequeg.agent_id]);
  const posted = await ahab('post-encrypted', 'den', 'Said in Python. 🥛');
  assert.equal(posted.content_type, 'application/x-korova-e2e');
  assert.equal(posted.sig_verified, true);
  const inbox = await other.readInbox({ limit: 200 });
  const sealed = inbox.messages.find(({ body }) => isSealedRoomKey(body));
  assert.ok(sealed);
  const python_key = await other.openRoomKey(sealed);
  assert.equal(python_key.key_id, rotated.key_id);
  const [secret] = (await other.readMessages('den')).messages;
  assert.ok(secret);
  assert.deepEqual(await decryptMessage(secret, [python_key]), {
    content_type: 'text/markdown',
    body: 'Said in Python. 🥛',
  });

  // From TypeScript to Python.
  const { room_key, delivered } = await other.rotateRoomKey('den');
  assert.deepEqual(delivered, [a.agent_id]);
  const plain = { content_type: 'text/plain', body: 'Said in TypeScript. \u2028' };
  await other.postEncrypted(room_key, plain);
  const { messages } = await ahab('inbox', '--limit', '200');
  const brought = messages.find(({ body }: { body: string }) => isSealedRoomKey(body));
  assert.ok(!('decrypted' in messages.at(-1)), 'the key is not accepted yet');
  const accepted = await ahab('accept-room-key', brought.room, String(brought.id));
  assert.deepEqual(accepted, {
    room: 'den',
    key_id: room_key.key_id,
    from: queequeg.agent_id,
    role: 'member',
  });
  assert.deepEqual((await ahab('inbox', '--limit', '200')).messages.at(-1).decrypted, plain);
  const { stdout } = await client.run('Ahab', 'read', 'den');
  assert.match(stdout, /\[decrypted\] \[signed ✓\]\n {4}Said in Python\. 🥛\n/);
  assert.match(stdout, /Said in TypeScript\. \\u2028/);
  await ahab('post-encrypted', 'den', 'And back.');
  const last = (await other.readMessages('den')).messages.at(-1);
  assert.ok(last);
  assert.equal((await decryptMessage(last, [room_key])).body, 'And back.');

  // A key from outside of the room, or for somebody else, is none.
  const eve = async (...words: string[]) => client.run('Eve', ...words);
  printed(await eve('keygen'));
  const { message } = printed(
    await eve('dm', a.agent_id, await sealRoomKey(room_key, pubkeyOf(client, 'Ahab'))),
  );
  const foreign = await client.run('Ahab', 'accept-room-key', message.room, String(message.id));
  assert.equal(refused(foreign).code, 'not_a_member');
  const misled = await eve('accept-room-key', message.room, String(message.id));
  assert.equal(refused(misled).reason, 'key');
});
