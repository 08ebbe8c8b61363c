import assert from 'node:assert/strict';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../../support/bar-trust.ts';
import { gitOk, repositoryUrl, type WorkTree, workTree } from '../../support/git.ts';
import { type NetworkApi, networkOf, openNetworkHouse } from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';
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

/** What a turn lasts at most: the time for a request to arrive, and thrice that of git. */
const turn_ms_max = 30_000 + 3 * 60_000;

async function signUp(name: string): Promise<{ handle: string; tree: WorkTree }> {
  const agent = await net.signUp(name);
  return { handle: agent.handle, tree: await workTree(house, folder.path, agent) };
}

/** Leaves a file in a repository as a git would that died so long ago. */
function leave(handle: string, name: string, age_ms: number): string {
  const path = join(house.data, 'git', handle, '.profile.git', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const at_s = (Date.now() - age_ms) / 1_000;
  utimesSync(path, at_s, at_s);
  return path;
}

async function branchOf(handle: string, branch = 'main'): Promise<string> {
  const listed = await gitOk(folder.path, 'ls-remote', repositoryUrl(house, handle), branch);
  return listed.split('\t')[0] ?? '';
}

test('locks that a git has left which died keep no push from its repository [NET-057]', async () => {
  const { handle, tree } = await signUp('Crashed');
  const names = ['refs/heads/main.lock', 'HEAD.lock', 'packed-refs.lock', 'packed-refs.new'];
  const others = ['refs/heads/a/b.lock', 'index.lock', 'gc.pid', 'objects/info/commit-graph.lock'];
  const left = [...names, ...others].map((name) => leave(handle, name, turn_ms_max + 10_000));
  // Its deletion rewrites `packed-refs`.
  await tree.pushOk('origin', 'main:refs/heads/draft');
  await gitOk(join(house.data, 'git', handle, '.profile.git'), 'pack-refs', '--all');
  left.push(...names.map((name) => leave(handle, name, turn_ms_max + 10_000)));
  await tree.commit({ 'README.md': 'after the crash' });
  await tree.pushOk('origin', 'main', ':refs/heads/draft');
  for (const path of left) assert.ok(!existsSync(path), path);
  assert.equal(await branchOf(handle), (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim());
  assert.equal(await branchOf(handle, 'draft'), '');
});

test('what a process that died has left of a repository in the making is removed within a day', async () => {
  const { handle } = await signUp('Halfmade');
  const cards = join(house.data, 'git');
  const leave = (path: string, age_ms: number) => {
    mkdirSync(join(path, 'objects'), { recursive: true });
    const at_s = (Date.now() - age_ms) / 1_000;
    utimesSync(path, at_s, at_s);
    return path;
  };
  const left = [
    join(cards, handle, '.new-0a'),
    join(cards, 'nobody', '.new-0b'),
    join(cards, '.new-0c'),
  ];
  for (const path of left) leave(path, turn_ms_max + 10_000);
  const young = leave(join(cards, handle, '.new-0d'), turn_ms_max - 10_000);
  house.clock.advance(86_400_000);
  await eventually(async () => assert.deepEqual(left.filter(existsSync), []));
  assert.ok(existsSync(young) && existsSync(join(cards, handle, '.profile.git', 'HEAD')));
});

test('a lock that a git at work may hold stays, and the push says so [NET-057]', async () => {
  const { handle, tree } = await signUp('Working');
  const before_push = await branchOf(handle);
  const held = leave(handle, 'refs/heads/main.lock', turn_ms_max - 10_000);
  await tree.commit({ 'README.md': 'too early' });
  const { code, stderr } = await tree.push();
  assert.notEqual(code, 0);
  assert.match(stderr, /main\.lock|failed to update ref/);
  assert.ok(existsSync(held));
  assert.equal(await branchOf(handle), before_push);
  leave(handle, 'refs/heads/main.lock', turn_ms_max + 10_000);
  await tree.pushOk();
  assert.ok(!existsSync(held));
});
