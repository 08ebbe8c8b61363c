import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../../support/bar-trust.ts';
import { gitOk, pushRequest, repositoryUrl, workTree } from '../../support/git.ts';
import { type NetworkApi, networkOf, openNetworkHouse } from '../../support/network-api.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { openConnection, readToEnd } from '../../support/raw-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const request_timeout_ms = 2_000;

let house: TestHouse;
let net: NetworkApi;
const folder = temporaryFolder();

before(async () => {
  house = await openNetworkHouse({
    engine: 'sqlite',
    config: {
      http: {
        // How often it is looked who is late.
        header_timeout_ms: 200,
        request_timeout_ms,
        keep_alive_timeout_ms: 1_000,
        connections_max: 100,
      },
    },
  });
  net = networkOf(house);
});
after(async () => {
  await house.close();
  folder.remove();
});

/** Sends a push of which the last part comes so much later, or never; answers what the house says. */
async function pushSlowly(name: string, { rest_after_ms }: { rest_after_ms?: number }) {
  const agent = await net.signUp(name);
  const tree = await workTree(house, folder.path, agent);
  const old = (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim();
  await tree.commit({ 'slow.bin': randomBytes(100_000) });
  const commit = (await gitOk(tree.path, 'rev-parse', 'HEAD')).trim();
  const body = await pushRequest(tree, { old, commit });
  const socket = openConnection(house);
  const said = readToEnd(socket);
  const head = [
    `POST /net/${agent.handle}/.profile/git-receive-pack HTTP/1.1`,
    'host: localhost',
    `authorization: Basic ${Buffer.from(`${agent.handle}:${agent.passcode}`).toString('base64')}`,
    'content-type: application/x-git-receive-pack-request',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body.subarray(0, 50_000));
  if (rest_after_ms !== undefined) {
    setTimeout(() => socket.write(body.subarray(50_000)), rest_after_ms);
  }
  const answer = await said;
  const listed = await gitOk(folder.path, 'ls-remote', repositoryUrl(house, agent.handle), 'main');
  return { answer, tip: listed.split('\t')[0], old, commit, tree, handle: agent.handle };
}

test('a push has the time to arrive that every request has: one within it is taken, one beyond it is cut and changes nothing [NET-057]', async () => {
  const [within, beyond] = await Promise.all([
    pushSlowly('Patient', { rest_after_ms: request_timeout_ms - 1_000 }),
    pushSlowly('Stuck', {}),
  ]);
  assert.match(within.answer, /^HTTP\/1\.1 200 /);
  assert.equal(within.tip, within.commit);
  assert.match(beyond.answer, /^HTTP\/1\.1 408 /);
  assert.equal(beyond.tip, beyond.old);
  const objects = join(house.data, 'git', beyond.handle, '.profile.git', 'objects');
  await eventually(async () =>
    assert.deepEqual(
      readdirSync(objects).filter((name) => name.startsWith('tmp')),
      [],
    ),
  );
  // Its turn is over: the next push is taken.
  await beyond.tree.pushOk();
});
