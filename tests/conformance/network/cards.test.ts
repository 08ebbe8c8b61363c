import assert from 'node:assert/strict';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import schema from '../../../protocol/network/agent-card.schema.json' with { type: 'json' };
import { cardOf, gitOk, workTree } from '../../support/git.ts';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let house: TestHouse;
let net: NetworkApi;
const folder = temporaryFolder();

before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite' });
  net = networkOf(house);
});
after(async () => {
  await house.close();
  folder.remove();
});

const raw = (handle: string, file: string) =>
  net.call('GET', `/${handle}/.profile/raw/branch/main/${file}`);
const entryOf = async (handle: string) => (await net.call('GET', `/v1/net/cards/${handle}`)).body;
/** Where the house keeps a repository: what is pushed there it does not notice. */
const placeOf = (handle: string) => join(house.data, 'git', handle, '.profile.git');

async function push(agent: Agent, files: Record<string, unknown>): Promise<void> {
  const tree = await workTree(house, join(folder.path), agent);
  await tree.commit(files);
  await tree.pushOk();
  rmSync(tree.path, { recursive: true });
}

test('a starter card has the members of the example in their order, and is valid [NET-061]', async () => {
  const description = 'Draws *maps*,\n<b>and</b> [more](https://x.example).';
  await net.signUp('Map Maker!', { description, capabilities: ['maps', 'GIS'] });
  const file = await raw('map-maker', 'agent.json');
  const address = 'map-maker@localhost';
  const card = {
    schema: 'agent-card',
    schema_version: 1,
    handle: 'map-maker',
    display_name: 'Map Maker!',
    address,
    description,
    capabilities: ['maps', 'GIS'],
    contact: { inbox: address, webhook: null, email: null },
    keys: { ed25519: null },
    links: [],
    updated: '2026-09-07',
  };
  assert.equal(file.text, `${JSON.stringify(card, null, 2)}\n`);
  const readme = await raw('map-maker', 'README.md');
  assert.match(readme.text, /^# Map Maker\\!\n\nDraws \\\*maps\\\*/);
  assert.match(readme.text, /\[agent\.json\]\(agent\.json\)\n$/);
  const page = await net.call('GET', '/map-maker');
  assert.match(
    page.text,
    /Draws \*maps\*,\n&lt;b&gt;and&lt;\/b&gt; \[more\]\(https:\/\/x\.example\)\./,
  );

  await net.signUp('Bare');
  assert.equal(JSON.parse((await raw('bare', 'agent.json')).text).description, '');
  assert.deepEqual(await entryOf('bare'), {
    kind: 'agent',
    valid: true,
    handle: 'bare',
    display_name: 'Bare',
    address: 'bare@localhost',
    description: '',
    capabilities: [],
    contact: { inbox: 'bare@localhost', webhook: null, email: null },
    keys: { ed25519: null },
    links: [],
    updated: '2026-09-07',
    schema: 'agent-card',
    schema_version: 1,
    card_url: `${house.house.rooms.network}/bare/.profile`,
    commit: (await entryOf('bare')).commit,
  });
});

test("the operator's card is there from the first start on, before any other [NET-066]", async () => {
  const { display_name, description, capabilities, links } = await entryOf('leora');
  assert.deepEqual(
    { display_name, description, capabilities, links },
    {
      display_name: 'Leora',
      description: 'Concierge and operator of this house.',
      capabilities: ['concierge', 'introductions'],
      links: [{ label: 'Page', url: `${house.house.rooms.network}/leora` }],
    },
  );
});

test('POST /v1/net/card makes a repository that is missing, and changes none [NET-062] [NET-021] [NET-060] [NET-064]', async () => {
  const agent = await net.signUp('Again');
  const { passcode } = agent;
  const card_url = `${house.house.rooms.network}/again/.profile`;
  const first = await entryOf('again');
  const same = await net.call('POST', '/v1/net/card', { passcode, body: {} });
  assert.deepEqual([same.status, same.body], [200, { card_url, created: false }]);
  assert.equal((await entryOf('again')).commit, first.commit);

  rmSync(placeOf('again'), { recursive: true });
  const made = await net.call('POST', '/v1/net/card', { passcode });
  assert.deepEqual([made.status, made.body], [201, { card_url, created: true }]);
  // At the same instant the same repository comes of it.
  assert.equal((await entryOf('again')).commit, first.commit);

  await push(agent, { 'agent.json': 'not a card' });
  assert.equal((await net.call('POST', '/v1/net/card', { passcode })).status, 200);
  assert.equal((await raw('again', 'agent.json')).text, 'not a card');
  assertNo(await net.call('POST', '/v1/net/card'), [401, 'unauthorized']);
});

test('an invalid card is told with its reason and without its content [NET-077] [NET-091]', async () => {
  const agent = await net.signUp('Wrong');
  await push(agent, {
    'agent.json': { ...cardOf(agent), handle: 'leora', description: 'secret sauce' },
  });
  const { commit, ...entry } = await entryOf('wrong');
  assert.match(commit, /^[0-9a-f]{40}$/);
  assert.deepEqual(entry, {
    kind: 'agent',
    valid: false,
    handle: 'wrong',
    address: 'wrong@localhost',
    reason: 'handle_mismatch',
    field: '/handle',
    card_url: `${house.house.rooms.network}/wrong/.profile`,
  });
  const { body } = await net.call('GET', '/v1/net/directory?q=wrong');
  assert.deepEqual([body.cards, body.invalid], [[], [{ ...entry, commit }]]);
  const pages = await Promise.all(
    ['/agents?q=wrong', '/wrong'].map((path) => net.call('GET', path)),
  );
  for (const { text } of pages) {
    assert.match(text, /handle_mismatch/);
    assert.doesNotMatch(text, /secret sauce/);
  }
  await push(agent, { 'agent.json': cardOf(agent) });
  assert.equal((await entryOf('wrong')).valid, true);
});

test('a missing card and an unknown handle are refused alike [NET-091] [NET-040]', async () => {
  const agent = await net.signUp('Gone');
  rmSync(placeOf('gone'), { recursive: true });
  house.clock.advance(61_000);
  const answers = await Promise.all(
    ['gone', 'nobody', 'bob@elsewhere.example', 'x'.repeat(41), 'a_b', 'net'].map((handle) =>
      net.call('GET', `/v1/net/cards/${handle}`),
    ),
  );
  for (const answer of answers) assertNo(answer, [404, 'card_not_found']);
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal((await net.call('POST', '/v1/net/card', { passcode: agent.passcode })).status, 201);
  const names = ['gone', 'GONE', 'Gone@localhost', 'gone@LOCALHOST'];
  for (const name of names) assert.equal((await entryOf(name)).handle, 'gone');
});

test('a page shows README and agent.json to anybody [NET-067]', async () => {
  const agent = await net.signUp('Shown');
  await push(agent, {
    'README.md': '# Hello\n\nI **resize** images.\n',
    'agent.json': { ...cardOf(agent), display_name: 'Shown & Co' },
  });
  for (const path of ['/shown', '/shown/.profile', '/SHOWN', '/shown@localhost']) {
    const page = await net.call('GET', path);
    assert.equal(page.status, 200, path);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.text, /<h2>Hello<\/h2>[\s\S]*<strong>resize<\/strong>/);
    assert.match(page.text, /&quot;display_name&quot;: &quot;Shown &amp; Co&quot;/);
    assert.match(page.text, /git clone http[^<]*\/shown\/\.profile/);
    assert.doesNotMatch(page.text, /Signed in/);
  }
  for (const path of ['/nobody', '/nobody/.profile', '/a_b', '/net']) {
    assert.equal((await net.call('GET', path)).status, 404, path);
  }
});

test('an agent that has signed in sees that a card is its own [NET-036]', async () => {
  const { passcode } = await net.signUp('Visitor');
  const signed_in = await net.call('POST', '/v1/sign-in', { body: { passcode } });
  assert.equal(signed_in.status, 200);
  const cookie = signed_in.headers.get('set-cookie')?.split(';')[0] ?? '';
  const own = await net.call('GET', '/visitor', { headers: { cookie } });
  assert.match(own.text, /Signed in as [\s\S]*visitor[\s\S]*This card is yours/);
  const other = await net.call('GET', '/leora', { headers: { cookie } });
  assert.match(other.text, /Signed in as/);
  assert.doesNotMatch(other.text, /This card is yours/);
});

test('content of a repository is inert wherever it is served [NET-068]', async () => {
  const agent = await net.signUp('Evil');
  const attack =
    '<script>alert(1)</script>\n\n![p](https://t.example/p.png) [x](javascript:alert(1)) <img src=x onerror=alert(1)>\n';
  await push(agent, {
    'README.md': attack,
    'page.html': attack,
    'image.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    'sub/style.css': '*{}',
    'data.bin': Buffer.from([0, 1, 2, 255]),
    'agent.json': { ...cardOf(agent), display_name: '<script>alert(2)</script>' },
  });
  const page = await net.call('GET', '/evil');
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const shown = page.text.replace(/<head>[\s\S]*<\/head>/, '');
  assert.doesNotMatch(
    shown,
    /<script|<img[^>]*(t\.example|onerror)|href="javascript|onerror=[^&]*>/i,
  );
  assert.match(shown, /&lt;script&gt;alert\(2\)/);
  const listed = await net.call('GET', '/agents?q=evil');
  assert.doesNotMatch(listed.text, /<script/);
  for (const file of [
    'page.html',
    'image.svg',
    'sub/style.css',
    'data.bin',
    'README.md',
    'agent.json',
  ]) {
    const { status, headers } = await raw('evil', file);
    assert.equal(status, 200, file);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
  }
  for (const file of ['none', 'sub', '', 'sub/', 'sub/style.css/x']) {
    assertNo(await raw('evil', file), [404, 'not_found']);
  }
});

test('the schema of cards is served [NET-069]', async () => {
  const { status, body } = await net.call('GET', '/schema/agent-card-v1.json');
  assert.equal(status, 200);
  assert.deepEqual(body, schema);
});

test('what another process pushes shows within the stated times [NET-087] [NET-088]', async () => {
  const agent = await net.signUp('Slow');
  const path = join(folder.path, 'behind');
  await gitOk(folder.path, 'clone', '--quiet', placeOf('slow'), path);
  const listed = async () => {
    const { body } = await net.call('GET', '/v1/net/directory?q=slow');
    return body.cards.map(({ description }: { description: string }) => description);
  };
  const edit = async (description: string) => {
    const tree = await workTree(house, folder.path, agent);
    await tree.commit({ 'agent.json': { ...cardOf(agent), description } });
    await gitOk(tree.path, 'push', '--quiet', placeOf('slow'), 'main');
    rmSync(tree.path, { recursive: true });
  };
  assert.deepEqual(await listed(), ['']);
  await edit('edited');
  // Up to a minute the former card may be shown.
  house.clock.advance(59_999);
  assert.equal((await entryOf('slow')).description, '');
  house.clock.advance(1);
  assert.equal((await entryOf('slow')).description, 'edited');
  house.clock.advance(5_000);
  assert.deepEqual(await listed(), ['edited']);

  const aside = join(folder.path, 'aside.git');
  cpSync(placeOf('slow'), aside, { recursive: true });
  rmSync(placeOf('slow'), { recursive: true });
  house.clock.advance(65_000);
  assert.deepEqual(await listed(), []);
  assertNo(await net.call('GET', '/v1/net/cards/slow'), [404, 'card_not_found']);
  // What is newly published shows within five seconds.
  renameSync(aside, placeOf('slow'));
  house.clock.advance(5_000);
  assert.equal((await entryOf('slow')).description, 'edited');
  house.clock.advance(60_000);
  assert.deepEqual(await listed(), ['edited']);
});

test('answers about cards are asked for anew each time [NET-089]', async () => {
  for (const path of ['/v1/net/directory', '/v1/net/cards/leora']) {
    const { headers } = await net.call('GET', path);
    assert.equal(headers.get('cache-control'), 'no-cache');
  }
});

test('on a host of its own the network stands at the root, cards and repositories too [NET-056] [NET-086]', async () => {
  const host = 'cards.example.org';
  const hosts = { network: [host] };
  await using own = await openNetworkHouse({ engine: 'sqlite', config: { hosts } });
  const headers = { host };
  for (const path of [
    '/leora/.profile/info/refs?service=git-upload-pack',
    '/leora/.profile/raw/branch/main/agent.json',
    '/leora',
    '/agents',
  ]) {
    const answer = await requestWith(own, path, { headers });
    assert.equal(answer.status, 200, path);
    assert.doesNotMatch(answer.text, /href="\/net\//);
  }
  const { body } = await requestWith(own, '/v1/net/cards/leora', { headers });
  const entry = body as { address: string; card_url: string };
  assert.equal(entry.address, `leora@${host}`);
  assert.match(entry.card_url, /^http:\/\/cards\.example\.org(:\d+)?\/leora\/\.profile$/);
});
