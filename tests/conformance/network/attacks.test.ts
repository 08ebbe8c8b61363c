import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { cardOf, gitOk, repositoryUrl, workTree } from '../../support/git.ts';
import { networkConfig, networkOf, openNetworkHouse } from '../../support/network-api.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const descriptionOf = async (house: TestHouse, handle: string) =>
  (await networkOf(house).call('GET', `/v1/net/cards/${handle}`)).body.description;

test.after(() => folder.remove());

test('[NET-056, NET-057] a data folder that is named from where the house was started serves git', async () => {
  const data = relative(process.cwd(), join(folder.path, 'data'));
  await using house = await openTestHouse({
    engine: 'sqlite',
    config: { ...networkConfig(), data },
  });
  const agent = await networkOf(house).signUp('relative');
  const tree = await workTree(house, folder.path, agent);
  await tree.commit({ 'agent.json': { ...cardOf(agent), description: 'Pushed.' } });
  await tree.pushOk();
  assert.equal(await descriptionOf(house, agent.handle), 'Pushed.');
});

test('[NET-064, NET-112] a replaced commit changes neither the card nor what may be pushed', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const agent = await networkOf(house).signUp('two-faced');
  const tree = await workTree(house, folder.path, agent);
  const commitOf = async (description: string) => {
    await tree.commit({ 'agent.json': { ...cardOf(agent), description } });
    return (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim();
  };
  const shown = await commitOf('Shown.');
  await tree.pushOk();
  const hidden = await commitOf('Hidden.');
  await tree.pushOk('origin', `${hidden}:refs/replace/${shown}`);
  assert.equal(await descriptionOf(house, agent.handle), 'Shown.');
  // One that replaces itself does not shut its agent out.
  await tree.pushOk('origin', `${shown}:refs/replace/${hidden}`);
  await tree.pushOk('--force', 'origin', `${hidden}:main`);
  assert.equal(await descriptionOf(house, agent.handle), 'Hidden.');
  const clone = join(folder.path, 'clone');
  await gitOk(folder.path, 'clone', '--quiet', repositoryUrl(house, agent.handle), clone);
  assert.match(await gitOk(clone, 'show', 'HEAD:agent.json'), /"Hidden\."/);
});
