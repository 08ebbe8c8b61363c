import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, gitOk } from '../../support/git.ts';
import { networkConfig, networkOf } from '../../support/network-api.ts';
import { openTestHouse } from '../../support/open-house.ts';

test("the operator's card leads to its page also after the house has moved, unless the operator has changed it [NET-066]", async () => {
  const config = {
    ...networkConfig({ settings: { domain: 'agents.example' } }),
    public_url: 'https://one.example',
  };
  await using house = await openTestHouse({ engine: 'sqlite', config });
  const net = networkOf(house);
  const entry = async () => (await net.call('GET', '/v1/net/cards/leora')).body;
  const links = (url: string) => [{ label: 'Page', url: `${url}/net/leora` }];
  const moveTo = async (url: string) => {
    config.public_url = url;
    await house.restart();
  };
  const first = await entry();
  assert.deepEqual(first.links, links('https://one.example'));

  await moveTo('https://two.example');
  const moved = await entry();
  assert.deepEqual(moved, {
    ...first,
    commit: moved.commit,
    card_url: 'https://two.example/net/leora/.profile',
    links: links('https://two.example'),
  });
  const stored = join(house.data, 'git', 'leora', '.profile.git');
  const history = (await gitOk(stored, 'log', '--format=%H %s', 'main')).trim().split('\n');
  assert.deepEqual(history, [
    `${moved.commit} The house has moved`,
    `${first.commit} Starter card`,
  ]);
  const { code, stdout, stderr } = await git(stored, 'fsck', '--full', '--strict');
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual((await gitOk(stored, 'ls-tree', '--name-only', 'main')).trim().split('\n'), [
    'README.md',
    'agent.json',
  ]);

  await moveTo('https://two.example');
  assert.equal((await entry()).commit, moved.commit, 'what is right stays as it is');
  // Processes of a house without a URL of its own have each their own.
  await moveTo('');
  assert.equal((await entry()).commit, moved.commit);

  // The card as it was, beside a file of the operator's.
  const passcode = await house.command('network', 'passcode', { handle: 'leora' });
  const url = new URL(`${house.house.listening}/net/leora/.profile`);
  url.username = 'leora';
  url.password = passcode;
  const tree = join(house.data, 'tree');
  await gitOk(house.data, 'clone', '--quiet', String(url), tree);
  await gitOk(tree, 'rm', '--quiet', 'README.md');
  await gitOk(tree, 'commit', '--quiet', '--message', 'Less');
  await gitOk(tree, 'push', '--quiet', 'origin', 'HEAD:main');
  const own = await entry();
  assert.notEqual(own.commit, moved.commit);
  await moveTo('https://three.example');
  assert.equal((await entry()).commit, own.commit);
});
