import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../../support/bar-trust.ts';
import { cardOf } from '../../support/git.ts';
import { type GiteaStub, openGiteaStub, type StubFile } from '../../support/gitea-stub.ts';
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

let gitea: GiteaStub;
let house: TestHouse;
let net: NetworkApi;
const folder = temporaryFolder();

before(async () => {
  gitea = await openGiteaStub();
  const token_file = join(folder.path, 'token');
  writeFileSync(token_file, `${gitea.token}\n`);
  const git = { kind: 'gitea', program: 'git', url: `${gitea.url}/`, token_file };
  house = await openNetworkHouse({ engine: 'sqlite', settings: { git } });
  net = networkOf(house);
});
after(async () => {
  await house.close();
  await gitea.close();
  folder.remove();
});

const entryOf = (handle: string) => net.call('GET', `/v1/net/cards/${handle}`);
const listed = async () => {
  const { body } = await net.call('GET', '/v1/net/directory');
  const handles = (entries: { handle: string }[]) => entries.map(({ handle }) => handle);
  return { cards: handles(body.cards), invalid: handles(body.invalid) };
};
/** Lets everything be read anew. */
const later = () => house.clock.advance(66_000);
const card = (agent: Agent, more: object = {}) => JSON.stringify({ ...cardOf(agent), ...more });

test('a sign-up makes a user without rights, its public repository and the starter card [NET-017] [NET-018] [NET-082]', async () => {
  gitea.asked.length = 0;
  const agent = await net.signUp('Bob', { handler_name: 'Hanna', handler_email: 'h@h.example' });
  const user = gitea.users.get('bob');
  assert.ok(user);
  assert.equal(user.email, 'bob@noreply.localhost');
  assert.equal(user.password, agent.passcode);
  assert.deepEqual(
    [user.settings.allow_create_organization, user.settings.max_repo_creation],
    [false, 0],
  );
  const repository = gitea.repositories.get('bob/.profile');
  assert.equal(repository?.private, false);
  assert.equal(repository?.commits.length, 1);
  assert.deepEqual(repository?.commits[0]?.author, {
    name: 'bob',
    email: 'bob@noreply.localhost',
    message: 'Starter card',
  });
  assert.deepEqual(Object.keys(repository?.commits[0]?.files ?? {}), ['agent.json', 'README.md']);
  assert.doesNotMatch(JSON.stringify([...gitea.users, ...gitea.repositories]), /Hanna|h@h/);
  const { body } = await entryOf('bob');
  assert.deepEqual([body.valid, body.commit], [true, repository?.commits[0]?.id]);
  assert.ok((await listed()).cards.includes('bob'));
  const again = await net.call('POST', '/v1/net/card', { passcode: agent.passcode });
  assert.deepEqual([again.status, again.body.created], [200, false]);
  assert.equal(repository?.commits.length, 1);
});

test('cards are read without a token, as a signed-out visitor reads them [NET-083]', async () => {
  const agent = await net.signUp('Visible');
  later();
  gitea.asked.length = 0;
  assert.equal((await entryOf('visible')).status, 200);
  assert.ok(gitea.asked.length >= 2);
  for (const line of gitea.asked) assert.match(line, /^GET \/repos\/visible\//);

  const repository = gitea.repositories.get('visible/.profile');
  const user = gitea.users.get('visible');
  assert.ok(repository && user);
  const hide: (() => void)[] = [
    () => {
      repository.private = true;
    },
    () => {
      Object.assign(repository, { private: false, internal: true });
    },
    () => {
      repository.internal = false;
      user.visibility = 'limited';
    },
  ];
  for (const one of hide) {
    one();
    later();
    assertNo(await entryOf('visible'), [404, 'card_not_found']);
    const { cards, invalid } = await listed();
    assert.ok(![...cards, ...invalid].includes('visible'));
  }
  user.visibility = 'public';
  later();
  assert.equal((await entryOf('visible')).status, 200);
  gitea.commit('visible', { 'agent.json': card(agent, { description: 'edited there' }) });
  later();
  assert.equal((await entryOf('visible')).body.description, 'edited there');
});

test("a .profile of an account that was not provisioned is nobody's card [NET-082] [NET-029]", async () => {
  gitea.addUser('stranger');
  const stranger = { handle: 'stranger', address: 'stranger@localhost' };
  gitea.commit('stranger', { 'agent.json': JSON.stringify(cardOf(stranger)) });
  gitea.addUser('club', { is_organisation: true });
  later();
  assertNo(await entryOf('stranger'), [404, 'card_not_found']);
  assert.ok(!(await listed()).cards.includes('stranger'));
  // Nor does an agent get their names.
  for (const name of ['Stranger', 'club']) {
    assert.equal((await net.signUp(name)).handle, `${name.toLowerCase()}-2`);
  }

  // The repository counts only while its owner is the user that was made for the agent.
  await net.signUp('Swapped');
  gitea.users.delete('swapped');
  gitea.addUser('swapped');
  later();
  assertNo(await entryOf('swapped'), [404, 'card_not_found']);
  assert.ok(!(await listed()).cards.includes('swapped'));
});

test('what is no regular file makes an invalid card there as well [NET-069]', async () => {
  const agent = await net.signUp('Forms');
  const forms: [file: string | StubFile, reason: string][] = [
    [{ type: 'symlink', content: 'README.md' }, 'not_a_file'],
    [{ type: 'submodule', content: '' }, 'not_a_file'],
    [{ type: 'dir', content: '' }, 'not_a_file'],
    [card(agent, { filling: 'x'.repeat(65_536) }), 'too_large'],
    ['{', 'not_json'],
  ];
  for (const [file, reason] of forms) {
    gitea.commit('forms', { 'agent.json': file });
    later();
    assert.equal((await entryOf('forms')).body.reason, reason);
  }
});

test('a path that git or the Gitea refuses is not there; the Gitea is asked for none that leads elsewhere [NET-068]', async () => {
  await net.signUp('Paths');
  const raw = (path: string) =>
    requestWith(house, `/net/paths/.profile/raw/branch/main/${path}`, {});
  assert.equal((await raw('agent.json')).status, 200);
  const none = await raw('none');
  assert.equal(none.status, 404);
  gitea.asked.length = 0;
  const elsewhere = '../../../visible/.profile/contents/agent.json';
  for (const path of ['/', '//agent.json', '../x', '%2e%2e/x', '..', elsewhere, '.git/x']) {
    const answer = await raw(path);
    assert.deepEqual([answer.status, answer.text], [404, none.text], path);
  }
  assert.deepEqual(
    gitea.asked.filter((line) => line.includes('/contents')),
    [],
  );
  gitea.failing_at = /\/contents\//;
  for (const [failing, status] of [
    [400, 404],
    [414, 404],
    [422, 404],
    [401, 503],
    [403, 503],
    [500, 503],
    [502, 503],
  ] as const) {
    gitea.failing = failing;
    assert.equal((await raw('x%0ay')).status, status, `${failing}`);
  }
  Object.assign(gitea, { failing: undefined, failing_at: /^/ });
});

test('while the Gitea is down an agent signs up; its card is made later, the same [NET-020] [NET-021]', async () => {
  for (const failing of [500, 403, 302]) {
    gitea.failing = failing;
    const { status, body } = await net.call('POST', '/v1/registrations', {
      body: { name: `Down ${failing}` },
    });
    assert.deepEqual([status, body.git], [201, 'pending']);
    const { handle, passcode } = body;
    assertNo(await net.call('POST', '/v1/net/card', { passcode }), [503, 'git_unavailable']);
    gitea.failing = undefined;
    const made = await net.call('POST', '/v1/net/card', { passcode });
    assert.deepEqual([made.status, made.body.created], [201, true]);
    assert.equal(gitea.users.get(handle)?.password, passcode);
    assert.equal((await entryOf(handle)).body.valid, true);
  }
});

test('a sign-up waits five seconds for a Gitea that does not answer, and its card is made after that [NET-020]', async () => {
  const answering = Promise.withResolvers<void>();
  gitea.held = { at: /^POST .*\/admin\/users$/, until: answering.promise };
  let is_answered = false;
  const signing_up = net
    .call('POST', '/v1/registrations', { body: { name: 'Held' } })
    .finally(() => {
      is_answered = true;
    });
  await eventually(async () => assert.equal((await entryOf('held')).body.error, 'card_not_found'));
  await eventually(async () => {
    const { text } = await net.call('GET', '/v1/registrations?limit=200');
    assert.match(text, /"held"/);
  });
  house.clock.advance(4_000);
  assert.equal(is_answered, false);
  await eventually(async () => {
    house.clock.advance(1_000);
    assert.equal(is_answered, true);
  });
  const { status, body } = await signing_up;
  assert.deepEqual([status, body.git], [201, 'pending']);
  gitea.held = undefined;
  answering.resolve();
  await eventually(async () => {
    house.clock.advance(6_000);
    assert.equal((await entryOf('held')).body.valid, true);
  });
  assert.equal(gitea.repositories.get('held/.profile')?.commits.length, 1);
});

/** Signs an agent up while the Gitea fails at some requests. */
async function signUpFailing(name: string, failing_at: RegExp): Promise<Agent> {
  Object.assign(gitea, { failing: 500, failing_at });
  const { status, body } = await net.call('POST', '/v1/registrations', { body: { name } });
  Object.assign(gitea, { failing: undefined, failing_at: /^/ });
  assert.deepEqual([status, body.git], [201, 'pending']);
  return body;
}

test('what was begun when the Gitea failed is ended with the same user [NET-021] [NET-082]', async () => {
  const begun: [name: string, failing_at: RegExp, created: boolean][] = [
    ['Torn One', /^POST .*\/repos$/, true],
    ['Torn Two', /^POST .*\/contents$/, true],
    ['Torn Three', /^PATCH /, false],
  ];
  for (const [name, failing_at, created] of begun) {
    const { handle, passcode } = await signUpFailing(name, failing_at);
    const id = gitea.users.get(handle)?.id;
    assert.ok(id);
    const made = await net.call('POST', '/v1/net/card', { passcode });
    assert.deepEqual([made.status, made.body.created], [created ? 201 : 200, created], name);
    assert.equal(gitea.users.get(handle)?.id, id);
    assert.equal(gitea.repositories.get(`${handle}/.profile`)?.commits.length, 1);
    assert.equal((await entryOf(handle)).body.valid, true);
  }
});

test('a name that somebody took at the Gitea before the card was made is not taken from them [NET-082]', async () => {
  const { passcode, handle } = await signUpFailing('Taken', /^/);
  gitea.addUser(handle);
  assertNo(await net.call('POST', '/v1/net/card', { passcode }), [503, 'git_unavailable']);
  assert.equal(gitea.repositories.has(`${handle}/.profile`), false);
  assert.equal(gitea.users.get(handle)?.password, 'unknown');
  gitea.users.delete(handle);
  assert.equal((await net.call('POST', '/v1/net/card', { passcode })).status, 201);
});

test('git is sent on to the Gitea [NET-056]', async () => {
  await net.signUp('Moved');
  for (const service of ['git-upload-pack', 'git-receive-pack']) {
    const { status, headers } = await net.call(
      'GET',
      `/moved/.profile.git/info/refs?service=${service}`,
    );
    assert.equal(status, 302);
    const location = `${gitea.url}/moved/.profile/info/refs?service=${service}`;
    assert.equal(headers.get('location'), location);
  }
  assertNo(await net.call('GET', '/moved/.profile/info/refs?service=x'), [404, 'not_found']);
  assertNo(await net.call('GET', '/moved/other/info/refs?service=git-upload-pack'), [
    404,
    'not_found',
  ]);
});

test('a backup of such a house is its database alone, and the cards are for its Gitea to copy', async () => {
  const file = join(folder.path, 'copy.db');
  assert.equal(
    await house.command('house', 'backup', { file }),
    `The database was copied to ${file}.`,
  );
  assert.ok(existsSync(file) && !existsSync(`${file}.git`));
  const cards = join(folder.path, 'cards');
  await assert.rejects(house.command('network', 'backup-cards', { folder: cards }), /on its Gitea/);
  assert.ok(!existsSync(cards));
});

test('a house that is told of a Gitea by half does not open, and says what is missing', async () => {
  const halves: [git: Record<string, string>, says: RegExp][] = [
    [{ kind: 'gitea', program: 'git' }, /network\.git\.url/],
    [{ kind: 'gitea', program: 'git', url: gitea.url }, /token_file/],
    [
      { kind: 'gitea', program: 'git', url: gitea.url, token_file: join(folder.path, 'none') },
      /network\.git\.token_file: .*none cannot be read/,
    ],
  ];
  for (const [git, says] of halves) {
    await assert.rejects(openNetworkHouse({ engine: 'sqlite', settings: { git } }), {
      name: 'StartError',
      message: says,
    });
  }
});
