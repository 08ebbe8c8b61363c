import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sendCommand } from '../../packages/cli/src/send-command.ts';
import { freePort } from '../support/free-port.ts';
import { runServer, type Server, startServer } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function newFolder(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  return folder.path;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Asserts that nobody but their owner may open the files and folders in a data folder. */
function assertOwn(data: string): void {
  for (const entry of readdirSync(data, { withFileTypes: true })) {
    assert.equal(modeOf(join(data, entry.name)), entry.isDirectory() ? '700' : '600', entry.name);
  }
}

const status = async (server: Server) =>
  (await sendCommand({ socket: join(server.data, 'admin.sock'), path: '/house/status', given: {} }))
    .said;

test('the data folder and all that is in it are for the user of the house alone', async (t) => {
  const folder = newFolder(t);
  await using server = await startServer({ folder });
  assert.equal(modeOf(server.data), '700');
  const names = readdirSync(server.data).sort();
  assert.deepEqual(names, ['admin.sock', 'git', 'stoa.db', 'stoa.db-shm', 'stoa.db-wal']);
  assertOwn(server.data);
  await server.kill('SIGTERM');
  const kept = readdirSync(server.data).sort();
  assert.deepEqual(kept, ['git', 'stoa.db'], 'it leaves behind what it is to keep');
});

test('a data folder that others made keeps its mode, and what the house puts there is its own', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'data'), { mode: 0o755 });
  await using server = await startServer({ folder });
  assert.equal(modeOf(server.data), '755');
  assertOwn(server.data);
});

test('a second house on a data folder is refused with a line that says so, and harms nothing', async (t) => {
  const folder = newFolder(t);
  await using server = await startServer({ folder });
  const second = await runServer(['--port', String(await freePort())], { cwd: folder });
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^stoa: another house is open on this data folder[^\n]*$/);
  assert.match(await status(server), /^stoa /);
  assert.equal((await fetch(`${server.base}/ready`)).status, 200);
});

test('of houses that begin at once on one data folder one opens, and the others say why not', async (t) => {
  const folder = newFolder(t);
  mkdirSync(join(folder, 'data'));
  const starts = await Promise.allSettled(Array.from({ length: 3 }, () => startServer({ folder })));
  const opened = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  try {
    assert.equal(opened.length, 1);
    for (const start of starts) {
      if (start.status === 'rejected') {
        assert.match(
          String(start.reason),
          /stoa: another house is open on this data folder[^\n]*$/,
        );
      }
    }
    const [server] = opened;
    assert.ok(server);
    assert.match(await status(server), /^stoa /);
  } finally {
    for (const server of opened) await server[Symbol.asyncDispose]();
  }
});

test('the socket that a killed house left behind is in nobody’s way', async (t) => {
  const folder = newFolder(t);
  await using killed = await startServer({ folder });
  await killed.kill('SIGKILL');
  assert.ok(readdirSync(killed.data).includes('admin.sock'));
  await using server = await startServer({ folder });
  assert.match(await status(server), /^stoa /);
});
