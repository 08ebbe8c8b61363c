import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../support/bar-trust.ts';
import { git, gitOk, pushRequest, repositoryUrl, workTree } from '../support/git.ts';
import type { Agent } from '../support/network-api.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { practice_flags } from '../support/served-book.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const rounds = 4;

async function call(server: Server, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.base}/net${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text);
}

test('two processes of one house share the folder of cards, and pushes through both at once leave it whole', async () => {
  const kept = new AsyncDisposableStack();
  await using _ = kept;
  const database = kept.adopt(await createDatabase(), (own) => own.drop());
  const folder = kept.adopt(temporaryFolder(), (own) => own.remove());
  const cards = join(folder.path, 'cards');
  const config = [
    'rooms.bar = false\nrooms.forum = false\nrooms.guestbook = false\nrooms.karma = false',
    '[network.git]',
    `folder = ${JSON.stringify(cards)}`,
    '[network.limits]\nsignups_per_hour_max = 100\n',
  ].join('\n');
  const open = async () =>
    kept.use(await startServer({ database_url: database.url, flags: practice_flags, config }));
  const [here, there] = await Promise.all([open(), open()]);
  assert.deepEqual(readdirSync(cards), ['leora'], 'one card of the operator, of whichever made it');

  const signUp = (server: Server, name: string): Promise<Agent> =>
    call(server, 'POST', '/v1/registrations', { name });
  const agents = await Promise.all([signUp(here, 'Ada'), signUp(there, 'Bob')] as const);
  const stored = (handle: string) => join(cards, handle, '.profile.git');
  const places = { here: join(folder.path, 'here'), there: join(folder.path, 'there') };
  for (const place of Object.values(places)) mkdirSync(place);

  for (const [index, agent] of agents.entries()) {
    // One is pushed to as it was provisioned, the other is made by the first push of one of the two.
    const is_new = index === 1;
    if (is_new) rmSync(stored(agent.handle), { recursive: true });
    const [a, b] = await Promise.all([
      workTree(here, places.here, agent, { is_new }),
      workTree(there, places.there, agent, { is_new }),
    ]);
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all([a.commit({ a: String(round) }), b.commit({ b: String(round) })]);
      const pushed = await Promise.all([
        a.push('origin', 'HEAD:main', 'HEAD:refs/heads/a'),
        b.push('origin', 'HEAD:main', 'HEAD:refs/heads/b'),
      ]);
      const said = pushed.map(({ stderr }) => stderr).join('\n');
      const main = (await gitOk(stored(agent.handle), 'rev-parse', 'main')).trim();
      const heads = await Promise.all(
        [a, b].map(async ({ path }) => (await gitOk(path, 'rev-parse', 'HEAD')).trim()),
      );
      // Of both that moved `main` from where it was, one has won; the other heard of it.
      assert.deepEqual(
        pushed.map(({ code }) => code === 0),
        heads.map((head) => head === main),
        said,
      );
      assert.match(said, /rejected/);
      // Its own branch came in all the same, with all that it leads to.
      for (const [branch, head] of [
        ['a', heads[0]],
        ['b', heads[1]],
      ]) {
        assert.equal((await gitOk(stored(agent.handle), 'rev-parse', `${branch}`)).trim(), head);
      }
      for (const { path } of [a, b]) {
        await gitOk(path, 'fetch', '--quiet', 'origin');
        await gitOk(path, 'merge', '--quiet', '--allow-unrelated-histories', 'origin/main');
      }
    }
    const { code, stdout, stderr } = await git(stored(agent.handle), 'fsck', '--full', '--strict');
    assert.equal(code, 0, stdout + stderr);
    // What one has pushed is cloned from the other.
    const listed = await Promise.all(
      [here, there].map((server) =>
        gitOk(folder.path, 'ls-remote', repositoryUrl(server, agent.handle)),
      ),
    );
    assert.equal(listed[0], listed[1]);
  }

  // While one process has a push under way, the other waits with one of the same agent.
  const [ada] = agents;
  const tree = await workTree(there, folder.path, ada);
  const old = (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim();
  await tree.commit({ 'half.bin': randomBytes(300_000) });
  const commit = (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim();
  const half = await pushRequest(tree, { old, commit });
  const { hostname, port } = new URL(here.base);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /net/ada/.profile/git-receive-pack HTTP/1.1',
    'host: localhost',
    `authorization: Basic ${Buffer.from(`ada:${ada.passcode}`).toString('base64')}`,
    'content-type: application/x-git-receive-pack-request',
    `content-length: ${half.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(half.subarray(0, 200_000));
  const objects = join(stored('ada'), 'objects');
  const isUnderWay = () => readdirSync(objects).some((name) => name.startsWith('tmp'));
  await eventually(async () => assert.ok(isUnderWay()));
  let is_over = false;
  const pushed = tree.push().then((result) => {
    is_over = true;
    return result;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(!is_over);
  socket.destroy();
  assert.equal((await pushed).code, 0);

  const left = readdirSync(cards, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    left.filter((path) => /\.lock$|\.new-|tmp_/.test(path)),
    [],
  );
});
