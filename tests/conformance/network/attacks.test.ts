import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { cardOf, gitOk, repositoryUrl, workTree } from '../../support/git.ts';
import {
  type Agent,
  networkConfig,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { newKey, putKeyOnCard, signInBy } from '../../support/network-keys.ts';
import { openTestHouse, type TestHouse } from '../../support/open-house.ts';
import { openConnection, requestWith } from '../../support/raw-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const descriptionOf = async (house: TestHouse, handle: string) =>
  (await networkOf(house).call('GET', `/v1/net/cards/${handle}`)).body.description;

test.after(() => folder.remove());

test('[NET-056] [NET-057] a data folder that is named from where the house was started serves git', async () => {
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

test('[NET-064] [NET-112] a replaced commit changes neither the card nor what may be pushed', async () => {
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

test('[NET-056] who sends its requests to git slowly leaves turns to others', async () => {
  const config = { ...networkConfig(), trust_proxy: 1 };
  await using house = await openTestHouse({ engine: 'sqlite', config });
  const slow = Array.from({ length: 12 }, () => openConnection(house));
  await Promise.all(slow.map((socket) => once(socket, 'connect')));
  for (const socket of slow) {
    socket.write(
      [
        'POST /net/leora/.profile/git-upload-pack HTTP/1.1',
        'Host: 127.0.0.1',
        'X-Forwarded-For: 192.0.2.1',
        'Content-Type: application/x-git-upload-pack-request',
        'Content-Length: 1000\r\n\r\n00',
      ].join('\r\n'),
    );
  }
  // Answered once all of the above have come in.
  await Promise.all(Array.from({ length: 12 }, () => house.fetch('/net/v1/registrations')));
  const path = '/net/leora/.profile/info/refs?service=git-upload-pack';
  const headers = { 'x-forwarded-for': '192.0.2.2' };
  assert.equal((await requestWith(house, path, { headers })).status, 200);
  for (const socket of slow) socket.destroy();
});

test('[NET-115] a key that two accounts have proved is revoked for both, and is said to be', async () => {
  await using house = await openNetworkHouse({ engine: 'sqlite' });
  const net = networkOf(house);
  const key = newKey();
  const [one, other] = [await net.signUp('one'), await net.signUp('other')];
  for (const agent of [one, other]) {
    await putKeyOnCard(net, agent, key.key);
    assert.equal((await signInBy(net, agent.handle, key)).status, 201);
  }
  const stateOf = async ({ handle }: Agent) =>
    (await net.call('GET', `/v1/sigil/keys/${handle}`)).body;
  assert.equal((await stateOf(other)).status, 'active');
  await net.call('POST', '/v1/sigil/keys/revoke', { body: {}, passcode: one.passcode });
  const { account, key: revoked, status, since } = await stateOf(other);
  assert.deepEqual([account, revoked, status], [other.account, key.key, 'revoked']);
  assert.equal(since, (await stateOf(one)).since);
  assert.equal((await signInBy(net, other.handle, key)).status, 401);
});

forEachEngine((engine) => {
  test(`a seq of any length is a seq, and is said again to the digit [NET-165] [NET-168] (${engine})`, async () => {
    await using house = await openNetworkHouse({ engine });
    const net = networkOf(house);
    const { passcode } = await net.signUp('far');
    for (const after of [
      '9007199254740991',
      '9007199254740993',
      '9223372036854775807',
      '9223372036854775808',
      '9'.repeat(40),
    ]) {
      for (const route of ['net/messages', 'net/messages/wait', 'inbox', 'inbox/wait']) {
        const wait = route.endsWith('wait') ? '&timeout=0' : '';
        const reply = await net.call('GET', `/v1/${route}?after=${after}${wait}`, { passcode });
        assert.equal(reply.status, 200, `${route} ${after}: ${reply.text}`);
        assert.deepEqual(reply.body.messages, []);
        assert.match(reply.text, new RegExp(`"(next_after|last_id)":${after}[,}]`));
      }
    }
  });
});
