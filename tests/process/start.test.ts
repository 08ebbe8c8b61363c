import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startChild } from '../support/children.ts';
import { freePort } from '../support/free-port.ts';
import { main_path, runServer, startServer } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const readManifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

test('npm start runs what these tests run', () => {
  const { scripts } = readManifest('package.json');
  assert.equal(scripts.start, 'node packages/server/src/main.ts');
  assert.equal(join(root, scripts.start.split(' ')[1]), main_path);
});

test('a server on an empty folder says where its rooms are, then that it listens, and it does', async () => {
  await using server = await startServer();
  const health = await fetch(`${server.base}/health`);
  assert.equal(health.status, 200);
  const said = server.stdout.filter((line) => line.startsWith('stoa: '));
  assert.equal(said.at(-1), `stoa: listening on ${server.base}`);
  assert.ok(said.includes(`stoa: guestbook at ${server.base}/guestbook`));
  // Who opens it in a browser finds nothing at the bar itself.
  const bar = `${server.base}/bar`;
  assert.equal(said[0], `stoa: bar at ${bar}, for programs: read ${bar}/llms.txt`);
  for (const line of said.slice(0, -1)) {
    const base = /^stoa: [a-z]+ at (http:[^\s,]+)(?:, for programs: \S+ \S+)?$/.exec(line)?.[1];
    assert.ok(base?.startsWith(`${server.base}/`), line);
    assert.equal((await fetch(`${base}/openapi.json`)).status, 200, line);
  }
  assert.deepEqual(server.stderr, []);
});

test('bin/stoa serve is the same server, and the process itself ends on a signal', async () => {
  const folder = temporaryFolder();
  const port = String(await freePort());
  try {
    await using child = startChild(join(root, 'bin', 'stoa'), ['serve', '--port', port], {
      cwd: folder.path,
    });
    await new Promise<void>((resolve) => {
      child.onLine((line) => line === `stoa: listening on http://127.0.0.1:${port}` && resolve());
    });
    assert.deepEqual(await child.kill('SIGTERM'), { code: 0, signal: null });
  } finally {
    folder.remove();
  }
});

test('--help prints every flag with its variable, --version the version; neither opens a house', async () => {
  const folder = temporaryFolder();
  try {
    const help = await runServer(['--port', 'none', '--help'], { cwd: folder.path });
    assert.deepEqual({ code: help.code, stderr: help.stderr }, { code: 0, stderr: '' });
    for (const name of [
      'port',
      'host',
      'data',
      'database-url',
      'public-url',
      'practice',
      'log-level',
      'config',
    ]) {
      const variable = `STOA_${name.toUpperCase().replaceAll('-', '_')}`;
      assert.match(help.stdout, new RegExp(`^ {2}--${name} .*\\[${variable}[\\],]`, 'm'));
    }
    const { version } = readManifest('packages/server/package.json');
    const told = await runServer(['--version'], { cwd: folder.path });
    assert.deepEqual(told, { code: 0, signal: null, stdout: version, stderr: '' });
    assert.deepEqual(readdirSync(folder.path), []);
  } finally {
    folder.remove();
  }
});
