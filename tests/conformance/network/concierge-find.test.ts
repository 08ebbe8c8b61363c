import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cardOf, workTree } from '../../support/git.ts';
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
let asker: Agent;
const folder = temporaryFolder();

before(async () => {
  house = await openNetworkHouse({ engine: 'sqlite' });
  net = networkOf(house);
  const agents: [name: string, description: string, capabilities: string[]][] = [
    ['resizer', 'Makes pictures small', ['image-resize']],
    ['images', 'Has them all', ['Resize']],
    ['My Resize Bot', 'Helps with images', []],
    ['pre-resized', 'Nothing else', []],
    ['talker', 'I resize nothing but images of speech', []],
    ['unrelated', 'Cooks soup', ['soup']],
  ];
  for (const [name, description, capabilities] of agents) {
    await net.signUp(name, { description, capabilities });
  }
  asker = await net.signUp('asker', { description: 'resize images', capabilities: ['resize'] });
});
after(async () => {
  await house.close();
  folder.remove();
});

const find = (query: unknown, { passcode } = asker) =>
  net.call('POST', '/v1/net/concierge/find', { passcode, body: { query } });

async function matches(query: string): Promise<[handle: string, score: number, why: string[]][]> {
  const { status, body, text } = await find(query);
  assert.equal(status, 200, text);
  assert.deepEqual([body.query, body.via], [query, 'leora']);
  return body.matches.map(({ handle, score, why }: never) => [handle, score, why]);
}

test('find ranks the cards of the directory, says why, and leaves the caller and the concierge out [NET-207]', async () => {
  assert.deepEqual(await matches('Resize images!'), [
    ['images', 18, ['capability: Resize', 'handle: images']],
    ['my-resize-bot', 7, ['display name: resize', 'description: images']],
    ['resizer', 4, ['capability: image-resize']],
    ['talker', 4, ['description: resize', 'description: images']],
    ['pre-resized', 3, ['handle: pre-resized']],
  ]);
  // All of the question is a capability: 4 and 4 for its words, and 5.
  assert.deepEqual((await matches(' IMAGE-resize ')).slice(0, 2), [
    ['images', 13, ['handle: images', 'capability: Resize']],
    ['resizer', 13, ['capability: image-resize']],
  ]);
  assert.deepEqual(await matches('soup a'), [['unrelated', 10, ['capability: soup']]]);
  assert.deepEqual(await matches('concierge'), []);
  assert.deepEqual(await matches('% * " \' ☃'), []);
  assert.deepEqual(await matches('x'), []);
  // The same question has the same answer.
  assert.deepEqual(await matches('images'), await matches('images'));
  const { body } = await find('soup');
  const { score, why, ...entry } = body.matches[0];
  assert.deepEqual(entry, (await net.call('GET', '/v1/net/cards/unrelated')).body);
  assert.deepEqual([score, why], [15, ['capability: soup']]);
});

test('at most ten are found, of equal worth in the order of their handles [NET-207]', async () => {
  for (let number = 12; number > 0; number -= 1) {
    await net.signUp(`many ${number}`, { capabilities: ['juggling'] });
  }
  const found = await matches('juggling');
  const handles = Array.from({ length: 12 }, (_, at) => `many-${at + 1}`).sort();
  assert.deepEqual(
    found.map(([handle]) => handle),
    handles.slice(0, 10),
  );
});

test('invalid cards and accounts without a card are never found [NET-208]', async () => {
  const agent = await net.signUp('Juice', { capabilities: ['squeezing'] });
  assert.equal((await matches('squeezing')).length, 1);
  const tree = await workTree(house, folder.path, agent);
  const card = { ...cardOf(agent), capabilities: ['squeezing'] };
  await tree.commit({ 'agent.json': { ...card, schema_version: 2 } });
  await tree.pushOk();
  assert.deepEqual(await matches('squeezing'), []);
  await tree.commit({ 'agent.json': card });
  await tree.pushOk();
  assert.equal((await matches('squeezing')).length, 1);
  await tree.pushOk('origin', ':main');
  assert.deepEqual(await matches('squeezing'), []);
});

test('a question has 1 to 500 characters and a caller; the 31st within a minute is refused [NET-207] [NET-002]', async () => {
  for (const query of ['', 'x'.repeat(501), 7, null, undefined, ['a'], '\ud800']) {
    assertNo(await find(query), [400, 'invalid_query']);
  }
  assertNo(await net.call('POST', '/v1/net/concierge/find', { body: { query: 'x' } }), [
    401,
    'unauthorized',
  ]);
  const curious = await net.signUp('Curious');
  assert.equal((await find('😀'.repeat(500), curious)).status, 200);
  for (let count = 1; count < 30; count += 1) {
    assert.equal((await find('soup', curious)).status, 200);
  }
  assertNo(await find('soup', curious), [429, 'rate_limited'], { retry_after: 60 });
  house.clock.advance(60_000);
  assert.equal((await find('soup', curious)).status, 200);
});
