import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../support/bar-trust.ts';
import { git, gitOk, repositoryUrl } from '../../support/git.ts';
import {
  type Agent,
  assertNo,
  type NetworkApi,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let house: TestHouse;
let net: NetworkApi;
const folder = temporaryFolder();
/** What the house has logged. */
const said: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });

before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite', logger });
  net = networkOf(house);
});
after(async () => {
  await house.close();
  folder.remove();
});

const folderOf = () => join(house.data, 'git');

/** Takes the folder of repositories away while `work` goes on, as a disk that does not answer. */
async function whileDown<T>(work: () => Promise<T>): Promise<T> {
  const aside = `${folderOf()}-aside`;
  renameSync(folderOf(), aside);
  writeFileSync(folderOf(), 'no folder');
  try {
    return await work();
  } finally {
    rmSync(folderOf());
    renameSync(aside, folderOf());
  }
}

/** Signs an agent up while the git host is down. */
const signUpPending = (name: string): Promise<Agent> =>
  whileDown(async () => {
    const { status, body, text } = await net.call('POST', '/v1/registrations', { body: { name } });
    assert.equal(status, 201, text);
    assert.equal(body.git, 'pending');
    assert.match(body.next_steps[2], /as soon as the git host answers\. Then change .* clone http/);
    return body;
  });

const entryOf = (handle: string) => net.call('GET', `/v1/net/cards/${handle}`);

test('while the git host is down an agent signs up and acts, and its card waits [NET-020]', async () => {
  const agent = await signUpPending('Early');
  const me = await net.call('GET', '/v1/net/me', { passcode: agent.passcode });
  assert.equal(me.status, 200);
  assert.deepEqual([me.body.handle, me.body.card.status], ['early', 'pending']);
  assertNo(await entryOf('early'), [404, 'card_not_found']);
  await whileDown(async () => {
    house.clock.advance(61_000);
    assertNo(await entryOf('leora'), [503, 'git_unavailable']);
    assertNo(await net.call('GET', '/v1/net/directory'), [503, 'git_unavailable']);
    const made = await net.call('POST', '/v1/net/card', { passcode: agent.passcode });
    assertNo(made, [503, 'git_unavailable']);
    assert.equal((await net.call('GET', '/agents')).status, 503);
    assert.equal((await net.call('GET', '/leora')).status, 503);
    const refs = await net.call('GET', '/leora/.profile/info/refs?service=git-upload-pack');
    assertNo(refs, [503, 'git_unavailable']);
  });
  // What failed is not remembered.
  assert.equal((await entryOf('leora')).status, 200);
});

test('one repository that is broken takes away no other card [NET-077]', async () => {
  await net.signUp('Sound');
  await net.signUp('Crushed');
  const main = join(folderOf(), 'crushed', '.profile.git', 'refs', 'heads', 'main');
  for (const damage of ['no commit\n', `${'7'.repeat(40)}\n`]) {
    writeFileSync(main, damage);
    house.clock.advance(66_000);
    const { status, body } = await net.call('GET', '/v1/net/directory');
    assert.equal(status, 200);
    const handles = body.cards.map(({ handle }: { handle: string }) => handle);
    assert.ok(handles.includes('sound') && !handles.includes('crushed'));
    assertNo(await entryOf('crushed'), [503, 'git_unavailable']);
  }
  assert.match(said.join(''), /a repository is broken/);
});

test('a card that waits is made by POST /v1/net/card, like one of a sign-up [NET-021]', async () => {
  const { passcode, handle } = await signUpPending('Asking');
  const made = await net.call('POST', '/v1/net/card', { passcode });
  assert.deepEqual([made.status, made.body.created], [201, true]);
  const { body } = await entryOf(handle);
  assert.deepEqual([body.valid, body.display_name], [true, 'Asking']);
  await gitOk(folder.path, 'clone', '--quiet', repositoryUrl(house, handle), handle);
});

test('a card that waits is made at the first sign-in [NET-021]', async () => {
  const { passcode, handle } = await signUpPending('Coming');
  const body = { passcode };
  assert.equal((await net.call('POST', '/v1/sign-in', { body })).status, 200);
  assert.equal((await entryOf(handle)).body.valid, true);
});

test('a card that waits is made by the house, which tries again and again [NET-021]', async () => {
  const { handle } = await signUpPending('Patient');
  // Its first attempt fails as well.
  await whileDown(async () => {
    house.clock.advance(5_000);
    await eventually(async () => assert.match(said.join(''), /network\.provision-card/));
  });
  await eventually(async () => {
    house.clock.advance(60_000);
    assert.equal((await entryOf(handle)).body.valid, true);
  });
});

test('where there is no git the house says so once; cards are made and read, not cloned [NET-020]', async () => {
  said.length = 0;
  await using bare = await openNetworkHouse({
    engine: 'sqlite',
    settings: { git: { kind: 'embedded', program: '/nowhere/git' } },
    logger,
  });
  const there = networkOf(bare);
  const { status, body } = await there.call('POST', '/v1/registrations', { body: { name: 'Ann' } });
  assert.deepEqual([status, body.git], [201, 'pending']);
  // It is not sent to clone what cannot be cloned.
  assert.doesNotMatch(body.next_steps.join('\n'), /clone http/);
  assert.match(body.next_steps[2], /has no git.* POST http\S+\/net\/v1\/net\/card /);
  const { passcode } = body;
  const made = await there.call('POST', '/v1/net/card', { passcode });
  assert.deepEqual([made.status, made.body.created], [201, true]);
  const again = await there.call('POST', '/v1/net/card', { passcode });
  assert.deepEqual([again.status, again.body.created], [200, false]);
  assert.equal((await there.call('GET', '/v1/net/cards/ann')).body.valid, true);
  const cloned = await git(folder.path, 'clone', repositoryUrl(bare, 'ann'), 'never');
  assert.match(cloned.stderr, /503/);
  const credential = Buffer.from(`ann:${passcode}`).toString('base64');
  const pushed = await there.call('GET', '/ann/.profile/info/refs?service=git-receive-pack', {
    headers: { authorization: `Basic ${credential}` },
  });
  assertNo(pushed, [503, 'git_unavailable']);
  for (let hour = 0; hour < 3; hour += 1) {
    bare.clock.advance(3_600_000);
    await there.call('GET', '/v1/net/cards/ann');
  }
  assert.deepEqual(said, [], 'and is silent after that');
  assert.equal(bare.house.notices.length, 1);
  assert.match(bare.house.notices[0] ?? '', /^NO GIT: \/nowhere\/git .*network\.git\.program/);
});

test('the 600th request of a client to git in a minute passes, the 601st is refused', async () => {
  await using busy = await openNetworkHouse({ engine: 'sqlite' });
  const there = networkOf(busy);
  const ask = () => there.call('GET', '/nobody/.profile/info/refs?service=git-upload-pack');
  for (let round = 0; round < 12; round += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    for (const answer of answers) assertNo(answer, [404, 'card_not_found']);
  }
  assertNo(await ask(), [429, 'rate_limited'], { retry_after: 1 });
  busy.clock.advance(1_000);
  assertNo(await ask(), [404, 'card_not_found']);
});
