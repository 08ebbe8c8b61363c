import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { freePort } from '../support/free-port.ts';
import { createDatabase } from '../support/postgres.ts';
import { runServer, startServer } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function newFolder(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  return folder.path;
}

type Start = { flags?: string[]; env?: Record<string, string>; config?: string };

/** Starts a server that refuses its settings; answers its complaints, held to their form. */
async function misconfigured(t: TestContext, { flags = [], env = {}, config }: Start) {
  const cwd = newFolder(t);
  if (config !== undefined) writeFileSync(join(cwd, 'stoa.toml'), config);
  const files = readdirSync(cwd);
  const { code, stdout, stderr } = await runServer(flags, { cwd, env });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, stderr);
  const lines = stderr.split('\n');
  for (const line of lines) assert.match(line, /^stoa: /);
  assert.match(lines.at(-1) ?? '', /--help/);
  assert.deepEqual(readdirSync(cwd), files, 'nothing was made');
  return lines.slice(0, -1);
}

test('settings that do not hold end the start with 2 and a line that names each', async (t) => {
  // What each setting must be is config.test.ts's; here is every source, and what the process makes of it.
  const starts: [Start, ...RegExp[]][] = [
    [
      { flags: ['--port', '0'], env: { STOA_LOG_LEVEL: 'loud' }, config: 'prot = 80' },
      /stoa\.toml: unknown key prot; did you mean port\?/,
      /--port must be a whole number from 1 to 65535, got 0/,
      /STOA_LOG_LEVEL must be one of "fatal"/,
    ],
    [{ flags: ['--prot'] }, /unknown flag --prot; did you mean --port\?/],
    [{ flags: ['8080'] }, /argument 1, "8080", belongs to no flag/],
    [{ flags: ['--config', 'none.toml'] }, /none\.toml: there is no such file/],
    // What would move the cursor or turn the text around is written out.
    [{ flags: ['--\u001b[2J'] }, /unknown flag --\\u001b\[2J$/],
    [{ flags: ['--config', 'a\u202eb'] }, /a\\u202eb: there is no such file/],
    [{ config: 'port = ' }, /stoa\.toml: line 1, column \d+ is no valid TOML/],
  ];
  for (const [start, ...expected] of starts) {
    const lines = await misconfigured(t, start);
    assert.equal(lines.length, expected.length, lines.join('\n'));
    for (const pattern of expected) {
      assert.ok(
        lines.some((line) => pattern.test(line)),
        `${pattern}\n${lines.join('\n')}`,
      );
    }
  }
});

test('practice mode listens on a loopback address and on no other', async (t) => {
  for (const host of ['0.0.0.0', '192.0.2.1', 'example.org']) {
    const lines = await misconfigured(t, { flags: ['--practice', '--host', host] });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', new RegExp(`practice mode .*loopback.* not on ${host}$`));
  }
});

/** Starts a server that cannot open; answers its one line, held to its form. */
async function cannotOpen(flags: readonly string[], cwd: string): Promise<string> {
  const port = String(await freePort());
  const { code, stdout, stderr } = await runServer(['--port', port, ...flags], { cwd });
  assert.equal(code, 1, stderr);
  assert.doesNotMatch(stdout, /stoa: |listening/);
  assert.match(stderr, /^stoa: [^\n]+$/, 'one line');
  assert.doesNotMatch(stderr, /\bat .+:\d+|node:|node_modules|\.ts\b/, 'no stack');
  return stderr;
}

test('a port in use ends the start with 1 and a line that names it', async (t) => {
  const cwd = newFolder(t);
  await using taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const said = await cannotOpen(['--port', String(port)], cwd);
  assert.match(said, new RegExp(`port ${port} on 127\\.0\\.0\\.1 is in use.*--port`));
  const metrics = `[metrics]\nport = ${port}\n`;
  writeFileSync(join(cwd, 'stoa.toml'), metrics);
  assert.match(await cannotOpen([], cwd), new RegExp(`${port}`), 'that of the metrics too');
});

test('an address that this machine does not have ends the start with 1', async (t) => {
  assert.match(await cannotOpen(['--host', '192.0.2.1'], newFolder(t)), /192\.0\.2\.1.*--host/);
});

test('a data folder that is none ends the start with 1 and a line that names it', async (t) => {
  const cwd = newFolder(t);
  writeFileSync(join(cwd, 'file'), '');
  for (const data of ['file', 'file/below', '/dev/null/data']) {
    const said = await cannotOpen(['--data', data], cwd);
    assert.ok(said.includes(data), said);
  }
  assert.match(await cannotOpen(['--data', 'file'], cwd), /folder file is no folder.*--data/);
  const deep = 'd'.repeat(120);
  assert.match(await cannotOpen(['--data', deep], cwd), /too long/);
});

test('a data folder whose database is no database ends the start with 1, and stays as it was', async (t) => {
  const cwd = newFolder(t);
  const data = join(cwd, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'stoa.db'), 'A letter that somebody has put there.\n'.repeat(500));
  assert.match(await cannotOpen([], cwd), /data.* is no SQLite database/);
  mkdirSync(join(cwd, 'other', 'stoa.db'), { recursive: true });
  assert.match(await cannotOpen(['--data', 'other'], cwd), /other/);
  assert.ok(!existsSync(join(data, 'admin.sock')));
});

test('a database of a version that is not continued ends the start with 1, and stays as it was', async (t) => {
  const folder = newFolder(t);
  const first = await startServer({ folder });
  await first[Symbol.asyncDispose]();
  const db = new Database(join(folder, 'data', 'stoa.db'));
  t.after(() => db.close());
  const of_another =
    "update stoa_migration set name = 'network-004-messages' where name like 'network-004-%'";
  assert.equal(db.prepare(of_another).run().changes, 1);
  const applied = () => db.prepare('select name from stoa_migration order by name').all();
  const before = applied();
  assert.match(await cannotOpen([], folder), /a version of Stoa that this one does not continue/);
  assert.deepEqual(applied(), before);
});

test('a data folder that may not be written ends the start with 1', async (t) => {
  // Root may write anywhere, so for root this is a folder that nobody can write in.
  const cwd = newFolder(t);
  const data = join(cwd, 'data');
  mkdirSync(data);
  chmodSync(data, 0o500);
  const locked = process.getuid?.() === 0 ? '/proc/1/task' : data;
  assert.match(await cannotOpen(['--data', locked], cwd), /cannot be used/);
});

test('a PostgreSQL that does not answer or refuses ends the start with 1, without its password', async (t) => {
  const cwd = newFolder(t);
  const nobody = `postgres://stoa:hunter2@127.0.0.1:${await freePort()}/stoa`;
  const unreachable = await cannotOpen(['--database-url', nobody], cwd);
  assert.match(unreachable, /database could not be reached/);
  const database = await createDatabase();
  t.after(() => database.drop());
  const wrong_password = new URL(database.url);
  wrong_password.password = 'hunter2';
  const missing = new URL(database.url);
  missing.pathname = '/there_is_none';
  for (const [url, expected] of [
    [wrong_password, /database refused: .*password/],
    [missing, /database refused: .*there_is_none/],
    [new URL('postgres://stoa:hunter2@no-such-host.invalid/stoa'), /could not be reached/],
  ] as const) {
    const said = await cannotOpen(['--database-url', url.href], cwd);
    assert.match(said, expected);
    assert.doesNotMatch(said, /hunter2/);
    assert.ok(!said.includes(new URL(database.url).password));
  }
});

test('another domain than that of the first start ends the start with 1, and says how to keep the first', async (t) => {
  const folder = newFolder(t);
  const config = (domain: string) => `[network]\ndomain = "${domain}"\n`;
  const first = await startServer({ folder, config: config('agents.example') });
  await first[Symbol.asyncDispose]();
  writeFileSync(join(folder, 'stoa.toml'), config('other.example'));
  const said = await cannotOpen([], folder);
  assert.match(said, /other\.example.*@agents\.example.*domain = "agents\.example"/);
  await using again = await startServer({ folder, config: config('agents.example') });
  assert.equal((await fetch(`${again.base}/net/v1/registrations`)).status, 200);
});
