import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Block, blocksUnder, repository_root } from './read-blocks.ts';

const ready_line = /^stoa: listening on /;
const ready_ms_max = 60_000;

/** The environment of somebody who has just cloned the repository. */
const plain_env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('STOA_')),
);

/** The lines of what was said that are printed too: rooms come, and the tour is of one of them. */
const printedOf = (said: string, printed: string) =>
  said
    .split(/(?<=\n)/)
    .filter((line) => printed.includes(line))
    .join('');

/** What differs from run to run, such as hashes and instants, put into words. */
const withoutChance = (text: string) =>
  text
    .replace(/[0-9a-f]{64}/g, (hash) => (/^0+$/.test(hash) ? hash : 'HASH'))
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'INSTANT')
    .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS');

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  server.close();
  await once(server, 'close');
  return String(address.port);
}

/** Runs `npm start` with `flags`; answers what it said until it was ready, and how to end it. */
async function startHouse(flags: readonly string[]) {
  const house = spawn('npm', ['start', '--', ...flags], {
    cwd: repository_root,
    env: plain_env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that the signal reaches the server behind npm too.
    detached: true,
  });
  const said: string[] = [];
  const timer = setTimeout(() => house.kill('SIGKILL'), ready_ms_max);
  for await (const line of createInterface({ input: house.stdout })) {
    if (line.startsWith('stoa: ')) said.push(line);
    if (ready_line.test(line)) break;
  }
  clearTimeout(timer);
  house.stdout.resume();
  return {
    said: said.map((line) => `${line}\n`).join(''),
    async [Symbol.asyncDispose]() {
      if (house.exitCode !== null || house.pid === undefined) return;
      process.kill(-house.pid, 'SIGTERM');
      await once(house, 'exit');
    },
  };
}

/** The flags that a block gives `npm start`; where it gives none, a free port and the test's folder. */
function flagsOf(
  command: string,
  place: { ports: ReadonlyMap<string, string>; folder: string },
): string[] {
  const given = command.trim().split(' ').slice(3);
  const fallback = ['--port', place.ports.get('8080') ?? '', '--data', join(place.folder, 'data')];
  return given.length > 0 ? given : fallback;
}

/** A shell in `folder`, as somebody has it open who pastes one block after another. */
function openShell(folder: string) {
  const shell = spawn('sh', ['-eu'], { cwd: folder, env: plain_env });
  const block_end = '\u0001';
  let printed = '';
  let complaints = '';
  let onPrinted = () => {};
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    onPrinted();
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  shell.on('exit', () => onPrinted());
  return {
    /** What the block prints on standard output. */
    async paste(block: string): Promise<string> {
      shell.stdin.write(`${block}\nprintf '\\001'\n`);
      while (!printed.includes(block_end)) {
        assert.equal(shell.exitCode, null, `${block}\n${printed}${complaints}`);
        await new Promise<void>((resolve) => {
          onPrinted = resolve;
        });
      }
      const [answer = ''] = printed.split(block_end);
      printed = '';
      return answer;
    },
    [Symbol.dispose]() {
      shell.kill();
    },
  };
}

it('the tour of the README runs as it is printed, and answers what it prints', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  stack.defer(() => folder.remove());
  // The folder stands for the clone: its commands, and a data folder of the test's own.
  mkdirSync(join(folder.path, 'bin'));
  symlinkSync(join(repository_root, 'bin/stoa'), join(folder.path, 'bin/stoa'));
  symlinkSync(join(repository_root, 'clients'), join(folder.path, 'clients'));
  const ports = new Map([
    ['8080', await freePort()],
    ['8081', await freePort()],
  ]);
  const shell = stack.use(openShell(folder.path));
  const blocks = blocksUnder('A tour of five minutes');
  assert.ok(blocks.length > 10);
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue;
    const next: Block | undefined = blocks[index + 1];
    const expected = next?.language === 'text' ? next.text : '';
    const command = text
      .replace(/(127\.0\.0\.1:|--port )(\d+)/g, (_, before, port) => before + ports.get(port))
      .replace('./data', join(folder.path, 'data'));
    const said = command.startsWith('npm start')
      ? stack.use(await startHouse(flagsOf(command, { ports, folder: folder.path }))).said
      : await shell.paste(command);
    const [is, wanted] = [said, expected].map(withoutChance) as [string, string];
    const tells_rooms = /^(npm start|bin\/stoa status)/.test(command);
    assert.equal(tells_rooms ? printedOf(is, wanted) : is, wanted, `${text}\n${said}`);
  }
});
