import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cardOf, gitOk, workTree } from '../../support/git.ts';
import {
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

before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite' });
  net = networkOf(house);
});
after(async () => {
  await house.close();
  folder.remove();
});

async function signUp(name: string) {
  const agent = await net.signUp(name);
  const tree = await workTree(house, folder.path, agent);
  /** Pushes, which is always taken, and answers what the house said. */
  const told = async (...args: readonly string[]) => {
    const { code, stderr } = await tree.push(...args);
    assert.equal(code, 0, stderr);
    const lines = stderr.split('\n').filter((line) => line.startsWith('remote:'));
    return lines.map((line) => line.slice('remote:'.length).trim());
  };
  return { agent, tree, told };
}

test('a push of an invalid card is taken, and says what is wrong and where it is shown [NET-077]', async () => {
  const { agent, tree, told } = await signUp('Learner');
  const card = cardOf(agent);
  await tree.commit({ 'agent.json': { ...card, capabilities: 'none' } });
  const base = house.house.rooms.network;
  const where = `It has to fit ${base}/schema/agent-card-v1.json; ${base}/v1/net/cards/learner shows how it is read.`;
  assert.deepEqual(await told(), [
    'The card on main is not valid yet (schema): agent.json does not fit the schema at /capabilities.',
    where,
  ]);
  await tree.commit({ 'agent.json': '{' });
  assert.deepEqual(await told(), [
    'The card on main is not valid yet (not_json): agent.json is not JSON, or has a member twice.',
    where,
  ]);
  await tree.commit({ 'agent.json': card });
  assert.deepEqual(await told(), []);
});

test('who takes its card away is told how it comes back, by the push and by the refusal [NET-062] [NET-087]', async () => {
  const { agent, tree, told } = await signUp('Leaver');
  const { passcode } = agent;
  const gone = 'There is no agent.json on main, so you have no card: push one to main.';
  const assertGone = async () => {
    const refused = await net.call('GET', '/v1/net/cards/leaver');
    assertNo(refused, [404, 'card_not_found']);
    assert.match(refused.body.hint, /if it is there, push an agent\.json to its branch main\.$/);
    // The house writes the first commit of a repository and no other (NET-060).
    const { status, body } = await net.call('POST', '/v1/net/card', { passcode, body: {} });
    assert.deepEqual([status, body.created], [200, false]);
  };
  assert.deepEqual(await told('origin', ':main'), [gone]);
  await assertGone();
  assert.deepEqual(await told(), []);
  assert.equal((await net.call('GET', '/v1/net/cards/leaver')).body.valid, true);

  await gitOk(tree.path, 'rm', '--quiet', 'agent.json');
  await tree.commit({ 'README.md': 'No card any more.' });
  assert.deepEqual(await told(), [gone]);
  await assertGone();
});

test('a quiet push hears nothing but what concerns its card', async () => {
  const { agent, tree, told } = await signUp('Quiet');
  await tree.commit({ 'agent.json': { ...cardOf(agent), handle: 'other' } });
  const [said] = await told('--quiet', 'origin', 'main');
  assert.match(said ?? '', /\(handle_mismatch\): it names another handle than its repository\.$/);
});
