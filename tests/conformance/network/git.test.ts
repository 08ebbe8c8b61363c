import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eventually } from '../../support/bar-trust.ts';
import {
  cardOf,
  git,
  gitOk,
  pushRequest,
  repositoryUrl,
  type WorkTree,
  workTree,
} from '../../support/git.ts';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { newKey, signInBy } from '../../support/network-keys.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { openConnection, requestWith } from '../../support/raw-http.ts';
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

const entryOf = async (handle: string) => (await net.call('GET', `/v1/net/cards/${handle}`)).body;
const headOf = async ({ path }: WorkTree) => (await gitOk(path, 'rev-parse', 'HEAD')).trim();
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The commit of a branch as the house has it. */
async function branchOf(handle: string, branch = 'main'): Promise<string> {
  const listed = await gitOk(folder.path, 'ls-remote', repositoryUrl(house, handle), branch);
  return listed.split('\t')[0] ?? '';
}

async function signUp(name: string): Promise<{ agent: Agent; tree: WorkTree }> {
  const agent = await net.signUp(name);
  return { agent, tree: await workTree(house, folder.path, agent) };
}

const receive = (
  handle: string,
  sent: { body?: Uint8Array; credential?: string; headers?: Record<string, string> },
) =>
  net.call('POST', `/${handle}/.profile/git-receive-pack`, {
    body: sent.body ?? Buffer.from('0000'),
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      ...(sent.credential ? { authorization: sent.credential } : {}),
      ...sent.headers,
    },
  });

test('an agent clones its card, changes it, pushes, and the directory follows [NET-017] [NET-055] [NET-057]', async () => {
  const { tree } = await signUp('Bob');
  assert.equal((await entryOf('bob')).valid, true);
  assert.deepEqual(readdirSync(tree.path).sort(), ['.git', 'README.md', 'agent.json']);
  const card = JSON.parse(readFileSync(join(tree.path, 'agent.json'), 'utf8'));
  await tree.commit({ 'agent.json': { ...card, description: 'Resizes images.' } });
  await tree.pushOk();
  const entry = await entryOf('bob');
  assert.equal(entry.description, 'Resizes images.');
  assert.equal(entry.commit, await headOf(tree));
  const { body } = await net.call('GET', '/v1/net/directory?q=images');
  assert.deepEqual(
    body.cards.map(({ handle }: { handle: string }) => handle),
    ['bob'],
  );
});

test('anybody clones a card, with and without .git, in each version of the protocol [NET-056]', async () => {
  await net.signUp('Open');
  const base = repositoryUrl(house, 'open');
  for (const [index, url] of [base, `${base}.git`, base.replace('open', 'OPEN')].entries()) {
    const version = String(index);
    const path = join(folder.path, `open-${version}`);
    await gitOk(folder.path, '-c', `protocol.version=${version}`, 'clone', '--quiet', url, path);
    assert.ok(existsSync(join(path, 'agent.json')));
    assert.equal((await gitOk(path, 'fsck', '--strict')).trim(), '');
  }
  const none = await git(folder.path, 'clone', '--quiet', repositoryUrl(house, 'nobody'));
  assert.notEqual(none.code, 0);
  assertNo(await net.call('GET', '/nobody/.profile/info/refs?service=git-upload-pack'), [
    404,
    'card_not_found',
  ]);
});

test('the starter commit is by the agent at its no-reply address [NET-018] [NET-022] [NET-060]', async () => {
  const secret = 'Hanna Handler';
  const agent = await net.signUp('Starter', {
    handler_name: secret,
    handler_email: 'hanna@handlers.example',
  });
  const { path } = await workTree(house, folder.path, agent);
  const log = await gitOk(path, 'log', '--all', '--format=%an|%ae|%cn|%ce|%s|%b');
  const email = 'starter@noreply.localhost';
  assert.equal(log.trim(), `starter|${email}|starter|${email}|Starter card|`);
  const all = await gitOk(path, 'log', '--all', '--patch', '--format=raw');
  assert.doesNotMatch(all, /hanna|handler/i);
});

test('a push without credentials is 401 with a challenge, and git asks for them [NET-058]', async () => {
  const { agent } = await signUp('Asked');
  const before_it = await branchOf('asked');
  const path = '/asked/.profile/info/refs?service=git-receive-pack';
  const credentials: (string | undefined)[] = [
    undefined,
    basic('asked', 'nip_wrong'),
    basic('asked', ''),
    // One's own passcode under another's name proves nobody.
    basic('leora', agent.passcode),
    basic('', agent.passcode),
    `Bearer ${agent.passcode}`,
    'Basic !!',
  ];
  for (const authorization of credentials) {
    const headers = authorization === undefined ? {} : { authorization };
    const asked = await net.call('GET', path, { headers });
    assertNo(asked, [401, 'unauthorized']);
    assert.match(asked.headers.get('www-authenticate') ?? '', /^Basic realm="[^"]+"/);
    const pushed = await receive('asked', authorization ? { credential: authorization } : {});
    assertNo(pushed, [401, 'unauthorized']);
    assert.match(pushed.headers.get('www-authenticate') ?? '', /^Basic /);
  }
  const right = { headers: { authorization: basic('Asked@localhost', agent.passcode) } };
  assert.equal((await net.call('GET', path, right)).status, 200);
  assert.equal(await branchOf('asked'), before_it);
});

test('an agent pushes to its own card alone: 403 for others, 404 for other names [NET-019]', async () => {
  const { agent: mallory, tree } = await signUp('Mallory');
  await net.signUp('Victim');
  const victim_head = await branchOf('victim');
  await tree.commit({ 'README.md': 'mine now' });
  const push = (url: string) => git(tree.path, 'push', '--force', url, 'main');
  const theirs = await push(repositoryUrl(house, 'victim', mallory));
  assert.match(theirs.stderr, /403/);
  const credential = basic('mallory', mallory.passcode);
  assertNo(await receive('victim', { credential }), [403, 'agents_only']);
  assertNo(await receive('nobody', { credential }), [403, 'agents_only']);
  assert.equal(await branchOf('victim'), victim_head);

  for (const name of ['other', '.profile2', '.git', 'profile', '.profile.git.git']) {
    const url = repositoryUrl(house, 'mallory', mallory).replace('.profile', name);
    const { code, stderr } = await push(url);
    assert.notEqual(code, 0);
    assert.match(stderr, /not found|404/);
  }
  assert.deepEqual(readdirSync(join(house.data, 'git', 'mallory')), ['.profile.git']);
});

test('no path leads out of the folder of repositories [NET-019] [NET-068]', async () => {
  await net.signUp('Climber');
  const paths = [
    '/../stoa.db/info/refs?service=git-upload-pack',
    '/%2e%2e/.profile/info/refs?service=git-upload-pack',
    '/climber%2f..%2fclimber/.profile/info/refs?service=git-upload-pack',
    '/climber/.profile/../../../stoa.db',
    '/climber/.profile/HEAD',
    '/climber/.profile/config',
    '/climber/.profile/objects/info/packs',
    '/climber/.profile/info/refs',
    '/climber/.profile/info/refs?service=git-upload-archive',
    '/climber/.profile/info/refs?service=upload-pack',
    '/climber/.profile/raw/branch/main/../../../../../stoa.db',
    '/climber/.profile/raw/branch/main/%2e%2e/%2e%2e/stoa.db',
    '/climber/.profile/raw/branch/main/..%2f..%2fstoa.db',
    '/climber/.profile/raw/branch/main/%2fetc%2fpasswd',
    '/climber/.profile/raw/branch/other/agent.json',
  ];
  for (const path of paths) {
    // As it stands, which fetch would tidy up.
    const answer = await requestWith(house, `/net${path}`);
    assert.equal(answer.status, 404, `${path}: ${answer.status}`);
  }
});

test('a path that git refuses is not there, as any other of which there is no file [NET-068]', async () => {
  const agent = await net.signUp('Odd Paths');
  // What is pushed lies in packs, of which git itself is asked.
  const tree = await workTree(house, folder.path, agent);
  await tree.commit({ 'sub/style.css': '*{}' });
  await tree.pushOk();
  const raw = `/net/${agent.handle}/.profile/raw/branch/main/`;
  assert.equal((await requestWith(house, `${raw}sub/style.css`)).status, 200);
  const odd = [
    '',
    '/',
    '//',
    '///',
    '/agent.json',
    '//agent.json',
    'agent.json/',
    'sub//style.css',
    '.',
    './',
    './agent.json',
    '..',
    '../',
    '../x',
    '..//x',
    '%2e%2e',
    '%2e%2e/x',
    '%2e%2e%2fx',
    '.%2e/x',
    'sub/../agent.json',
    'sub/../../x',
    '../../../etc/passwd',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    '%2f%2f',
    '.git/config',
    '.GIT/config',
    '%00',
    'a%00b',
    'agent.json%00',
    '%0a',
    '%20',
    '%5c',
    '..%5cx',
    ':(top)agent.json',
    ':/',
    ':!x',
    '*',
    'agent.jso?x',
    '-x',
    '--',
    '%252e%252e/x',
    'x'.repeat(4_097),
    'x/'.repeat(2_000),
  ];
  for (const path of odd) {
    const { status, body } = await requestWith(house, raw + path);
    assert.deepEqual([status, (body as { error: string }).error], [404, 'not_found'], path);
  }
});

test('a repository without main, but with a branch beneath that name, has no card [NET-055]', async () => {
  const agent = await net.signUp('Beneath');
  const tree = await workTree(house, folder.path, agent);
  await tree.pushOk('origin', ':main');
  await tree.pushOk('origin', 'main:refs/heads/main/draft');
  house.clock.advance(66_000);
  assertNo(await net.call('GET', '/v1/net/cards/beneath'), [404, 'card_not_found']);
  const raw = await net.call('GET', '/beneath/.profile/raw/branch/main/agent.json');
  assertNo(raw, [404, 'not_found']);
  assert.equal((await net.call('GET', '/beneath')).status, 200);
  assert.equal((await net.call('GET', '/v1/net/directory')).status, 200);
});

test('packs of 5 MiB, chunked and gzip-encoded pushes succeed [NET-059]', async () => {
  const { agent, tree } = await signUp('Heavy');
  // More than git keeps back before it sends in chunks.
  await tree.commit({ 'chunked.bin': randomBytes(5_242_880) });
  await tree.pushOk();
  assert.equal(await branchOf('heavy'), await headOf(tree));

  // Just under what is taken.
  await tree.commit({ 'whole.bin': randomBytes(10_400_000) });
  const pushed = await git(
    tree.path,
    ...['-c', 'http.postBuffer=20000000', 'push', 'origin', 'main'],
  );
  assert.equal(pushed.code, 0, pushed.stderr);
  assert.equal(await branchOf('heavy'), await headOf(tree));

  const old = await headOf(tree);
  await tree.commit({ 'README.md': 'said in gzip\n'.repeat(100) });
  const commit = await headOf(tree);
  const body = gzipSync(await pushRequest(tree, { old, commit }));
  const credential = basic('heavy', agent.passcode);
  const zipped = await receive('heavy', {
    body,
    credential,
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal(zipped.status, 200);
  assert.match(zipped.text, /unpack ok[\s\S]*ok refs\/heads\/main/);
  assert.equal(await branchOf('heavy'), commit);

  const broken = await receive('heavy', {
    body: body.subarray(0, 100),
    credential,
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal(broken.status, 400);
  const other = await receive('heavy', {
    body,
    credential,
    headers: { 'content-encoding': 'br' },
  });
  assertNo(other, [415, 'unsupported_media_type']);
  const typed = await receive('heavy', { credential, headers: { 'content-type': 'text/plain' } });
  assertNo(typed, [415, 'unsupported_media_type']);
  assert.equal(await branchOf('heavy'), commit);
});

test('a pack of more than 10 MiB is refused and changes nothing, however it is sent [NET-059]', async () => {
  const { agent, tree } = await signUp('Huge');
  const head = await branchOf('huge');
  await tree.commit({ 'huge.bin': randomBytes(10_490_000) });
  const pushed = await tree.push();
  assert.notEqual(pushed.code, 0);
  assert.match(pushed.stderr, /413/);
  const commit = await headOf(tree);
  const body = await pushRequest(tree, { old: head, commit });
  assert.ok(body.length > 10_485_760);
  const credential = basic('huge', agent.passcode);
  assertNo(await receive('huge', { body, credential }), [413, 'body_too_large']);
  // A few bytes that unpack to as much.
  const zipped = gzipSync(Buffer.alloc(11_000_000));
  const headers = { 'content-encoding': 'gzip' };
  const bomb = await receive('huge', { body: zipped, credential, headers });
  assert.ok(bomb.status === 413 || bomb.status === 200, String(bomb.status));
  assert.doesNotMatch(bomb.text, /^.*ok refs\/heads/);
  assert.equal(await branchOf('huge'), head);
});

test('a push of thousands of branches at once is refused [NET-019]', async () => {
  const { agent, tree } = await signUp('Branchy');
  const commit = await headOf(tree);
  const line = (number: number) => {
    const text = `${'0'.repeat(40)} ${commit} refs/heads/b${number}${number === 0 ? '\0 report-status' : ''}`;
    return `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
  };
  const body = Buffer.from(`${Array.from({ length: 2_000 }, (_, at) => line(at)).join('')}0000`);
  const refused = await receive('branchy', {
    body,
    credential: basic('branchy', agent.passcode),
  });
  assertNo(refused, [413, 'body_too_large']);
  const listed = await gitOk(folder.path, 'ls-remote', '--heads', repositoryUrl(house, 'branchy'));
  assert.equal(listed.trim().split('\n').length, 1);
});

test('a repository takes up to 50 MiB and no more [NET-059]', async () => {
  const { tree } = await signUp('Full');
  const filling = join(house.data, 'git', 'full', '.profile.git', 'filling');
  // Some of what is taken in git writes once more, as its index.
  writeFileSync(filling, '');
  truncateSync(filling, 52_428_800 - 1_000_000);
  await tree.commit({ 'large.bin': randomBytes(1_100_000) });
  const large = await tree.push();
  assert.notEqual(large.code, 0);
  assert.match(large.stderr, /413/);
  // Nothing of it is left behind.
  const objects = readdirSync(join(house.data, 'git', 'full', '.profile.git', 'objects'));
  assert.deepEqual(
    objects.filter((name) => name.startsWith('tmp')),
    [],
  );
  await gitOk(tree.path, 'reset', '--quiet', '--hard', 'HEAD^');
  await tree.commit({ 'small.bin': randomBytes(500_000) });
  await tree.pushOk();
  truncateSync(filling, 52_428_800);
  await tree.commit({ 'README.md': 'no room' });
  const full = await tree.push();
  assert.match(full.stderr, /413/);
  rmSync(filling);
  await tree.pushOk();
});

test('a push whose client goes away in the middle changes and leaves nothing [NET-058]', async () => {
  const { agent, tree } = await signUp('Leaver');
  const old = await headOf(tree);
  await tree.commit({ 'half.bin': randomBytes(300_000) });
  const body = await pushRequest(tree, { old, commit: await headOf(tree) });
  const socket = openConnection(house);
  const head = [
    'POST /net/leaver/.profile/git-receive-pack HTTP/1.1',
    'host: localhost',
    `authorization: ${basic('leaver', agent.passcode)}`,
    'content-type: application/x-git-receive-pack-request',
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body.subarray(0, 200_000));
  const objects = join(house.data, 'git', 'leaver', '.profile.git', 'objects');
  const half_written = () => readdirSync(objects).filter((name) => name.startsWith('tmp'));
  await eventually(async () => assert.equal(half_written().length, 1));
  socket.destroy();
  await eventually(async () => assert.deepEqual(half_written(), []));
  assert.equal(await branchOf('leaver'), old);
  await tree.pushOk();
});

test('a token of Sigil is as good as the passcode for a push, while it lives [NET-057]', async () => {
  const { agent, tree } = await signUp('Keyed');
  const key = newKey();
  await tree.commit({ 'agent.json': { ...cardOf(agent), keys: { ed25519: key.key } } });
  await tree.pushOk();
  const { body } = await signInBy(net, 'keyed', key);
  const url = repositoryUrl(house, 'keyed', { handle: 'keyed', passcode: body.token });
  await tree.commit({ 'README.md': 'by token' });
  await tree.pushOk(url, 'main');
  assert.equal(await branchOf('keyed'), await headOf(tree));
  house.clock.advance(900_000);
  await tree.commit({ 'README.md': 'too late' });
  const late = await tree.push(url, 'main');
  assert.match(late.stderr, /Authentication failed|401/);
});

test('only main counts; a forced push and a card that is taken away are the right of its owner [NET-064] [NET-087]', async () => {
  const { agent, tree } = await signUp('Holder');
  const start = await headOf(tree);
  await tree.commit({ 'agent.json': { ...cardOf(agent), description: 'second' } });
  await tree.pushOk('origin', 'HEAD:refs/heads/draft');
  assert.equal((await entryOf('holder')).commit, start);
  await tree.pushOk();
  assert.equal((await entryOf('holder')).description, 'second');

  await gitOk(tree.path, 'reset', '--quiet', '--hard', start);
  await tree.commit({ 'agent.json': { ...cardOf(agent), description: 'other' } });
  assert.notEqual((await tree.push()).code, 0);
  assert.equal((await entryOf('holder')).description, 'second');
  await tree.pushOk('--force', 'origin', 'main');
  assert.equal((await entryOf('holder')).description, 'other');

  await tree.pushOk('origin', ':main');
  assertNo(await net.call('GET', '/v1/net/cards/holder'), [404, 'card_not_found']);
  const { body } = await net.call('GET', '/v1/net/directory?q=holder');
  assert.deepEqual([body.cards, body.invalid], [[], []]);
  await tree.pushOk();
  assert.equal((await entryOf('holder')).valid, true);
});

test('what is no regular agent.json makes an invalid card, and the push succeeds [NET-069] [NET-079]', async () => {
  const { agent, tree } = await signUp('Shapes');
  const reasonOf = async () => {
    const { valid, reason, field } = await entryOf('shapes');
    return { valid, reason, field };
  };
  const card = { ...cardOf(agent), filling: '' };
  const bytes = Buffer.byteLength(JSON.stringify(card));
  const sized = (size: number) => JSON.stringify({ ...card, filling: 'x'.repeat(size - bytes) });
  await tree.commit({ 'agent.json': sized(65_536) });
  await tree.pushOk();
  assert.equal((await entryOf('shapes')).valid, true);
  for (const size of [65_537, 2_097_152]) {
    await tree.commit({ 'agent.json': sized(size) });
    await tree.pushOk();
    assert.deepEqual(await reasonOf(), { valid: false, reason: 'too_large', field: null });
  }

  await gitOk(tree.path, 'rm', '--quiet', 'agent.json');
  symlinkSync('README.md', join(tree.path, 'agent.json'));
  await tree.commit({});
  await tree.pushOk();
  assert.deepEqual(await reasonOf(), { valid: false, reason: 'not_a_file', field: null });

  await gitOk(tree.path, 'rm', '--quiet', 'agent.json');
  await gitOk(
    tree.path,
    ...['update-index', '--add', '--cacheinfo', `160000,${await headOf(tree)},agent.json`],
  );
  await gitOk(tree.path, 'commit', '--quiet', '--message', 'Submodule');
  await tree.pushOk();
  assert.deepEqual(await reasonOf(), { valid: false, reason: 'not_a_file', field: null });

  await gitOk(tree.path, 'rm', '--quiet', '--cached', 'agent.json');
  await tree.commit({ 'agent.json/inner.txt': 'a folder' });
  await tree.pushOk();
  assert.deepEqual(await reasonOf(), { valid: false, reason: 'not_a_file', field: null });

  // Without any, it is no card at all.
  await gitOk(tree.path, 'rm', '-r', '--quiet', 'agent.json');
  await tree.commit({ 'README.md': 'no card' });
  await tree.pushOk();
  assertNo(await net.call('GET', '/v1/net/cards/shapes'), [404, 'card_not_found']);
});

test('a card beside 10,000 files is read like any other [NET-055]', async () => {
  const { agent, tree } = await signUp('Crowd');
  const files = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, number) => [`notes/${number}.txt`, `${number}`]),
  );
  await tree.commit({ ...files, 'agent.json': { ...cardOf(agent), description: 'crowded' } });
  await tree.pushOk();
  assert.equal((await entryOf('crowd')).description, 'crowded');
  const raw = await net.call('GET', '/crowd/.profile/raw/branch/main/notes/9999.txt');
  assert.equal(raw.text, '9999');
});

test('objects that git would not vouch for are refused [NET-059]', async () => {
  const { agent, tree } = await signUp('Broken');
  const head = await headOf(tree);
  const tree_id = (await gitOk(tree.path, 'rev-parse', 'HEAD^{tree}')).trim();
  // A commit without an author is one that fsck refuses.
  const made = await git(
    tree.path,
    ...['-c', 'core.hooksPath=/dev/null', 'hash-object', '-t', 'commit', '-w', '--literally'],
    ...['--', writeFile(tree, 'commit.txt', `tree ${tree_id}\n\nbroken\n`)],
  );
  const commit = made.stdout.trim();
  assert.match(commit, /^[0-9a-f]{40}$/);
  const answer = await receive('broken', {
    body: await pushRequest(tree, { old: head, commit }),
    credential: basic('broken', agent.passcode),
  });
  assert.match(answer.text, /unpack [^o][\s\S]*ng refs\/heads\/main/);
  assert.equal(await branchOf('broken'), head);
});

function writeFile(tree: WorkTree, name: string, text: string): string {
  const path = join(tree.path, '.git', name);
  writeFileSync(path, text);
  return path;
}

test('hooks of a repository are never run [NET-064]', async () => {
  const { tree } = await signUp('Hooked');
  const hooks = join(house.data, 'git', 'hooked', '.profile.git', 'hooks');
  const trace = join(folder.path, 'hook-ran');
  mkdirSync(hooks);
  for (const name of [
    'pre-receive',
    'update',
    'post-receive',
    'post-update',
    'reference-transaction',
  ]) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${trace}\nexit 1\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  await tree.commit({ 'README.md': 'no hook' });
  await tree.pushOk();
  assert.equal(await branchOf('hooked'), await headOf(tree));
  assert.equal(existsSync(trace), false);
});

test('an agent without a repository makes it by pushing; the house adds no commit [NET-063] [NET-060]', async () => {
  const agent = await net.signUp('Own');
  rmSync(join(house.data, 'git', 'own'), { recursive: true });
  house.clock.advance(61_000);
  assertNo(await net.call('GET', '/v1/net/cards/own'), [404, 'card_not_found']);
  const tree = await workTree(house, folder.path, agent, { is_new: true });
  // A push that fails makes nothing.
  const credential = basic('own', agent.passcode);
  assert.equal((await receive('own', { credential })).status, 200);
  const zz = await receive('own', { credential, body: Buffer.from('zzzz') });
  assertNo(zz, [400, 'invalid_json']);
  assert.deepEqual(readdirSync(join(house.data, 'git', 'own')), []);

  await tree.commit({ 'agent.json': cardOf(agent), 'README.md': '# Own' });
  await tree.pushOk();
  assert.equal((await entryOf('own')).commit, await headOf(tree));
  assert.equal((await gitOk(tree.path, 'ls-remote', 'origin')).match(/refs\/heads/g)?.length, 1);
  const made = await net.call('POST', '/v1/net/card', { passcode: agent.passcode });
  assert.deepEqual([made.status, made.body.created], [200, false]);
  assert.equal((await entryOf('own')).commit, await headOf(tree));
});

test('many clones at once and two pushes at once all come to an end [NET-056] [NET-057]', async () => {
  const { agent, tree } = await signUp('Busy');
  const clones = Array.from({ length: 16 }, (_, number) =>
    git(
      folder.path,
      ...['clone', '--quiet', repositoryUrl(house, 'busy'), join(folder.path, `busy-${number}`)],
    ),
  );
  assert.deepEqual(new Set((await Promise.all(clones)).map(({ code }) => code)), new Set([0]));

  const start = await headOf(tree);
  await tree.commit({ 'README.md': 'one' });
  const one = await headOf(tree);
  await gitOk(tree.path, 'reset', '--quiet', '--hard', start);
  await tree.commit({ 'README.md': 'two' });
  const two = await headOf(tree);
  const credential = basic('busy', agent.passcode);
  const bodies = await Promise.all(
    [one, two].map((commit) => pushRequest(tree, { old: start, commit })),
  );
  const answers = await Promise.all(bodies.map((body) => receive('busy', { body, credential })));
  const taken = answers.filter(({ text }) => /ok refs\/heads\/main/.test(text));
  assert.equal(taken.length, 1);
  assert.ok([one, two].includes(await branchOf('busy')));
});
