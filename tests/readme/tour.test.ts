import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import document from '../../protocol/karma/vectors/document.json' with { type: 'json' };
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Block, blocksUnder, repository_root } from './read-blocks.ts';

const ready_line = /^stoa: listening on /;
const ready_ms_max = 60_000;

/** The environment of somebody who has just cloned the repository. */
const plain_env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(STOA|KOROVA)_/.test(name)),
);

/** The lines of what was said that are printed too: rooms come, and a tour is of one of them. */
const printedOf = (said: string, printed: string) =>
  said
    .split(/(?<=\n)/)
    .filter((line) => printed.includes(line))
    .join('');

/** What was said, as far as it is printed: a printed line that ends in … goes on. */
function cutAs(said: string, printed: string): string {
  const lines = printed.split('\n');
  return said
    .split('\n')
    .map((line, index) => {
      const wanted = lines[index] ?? '';
      return wanted.endsWith('…') ? `${line.slice(0, wanted.length - 1)}…` : line;
    })
    .join('\n');
}

/**
 * Puts what differs from run to run, such as hashes and instants, into words. What was named once keeps
 * its name, so that a hash which is printed twice is the same both times.
 */
function namesOfChance() {
  const names = new Map<string, string>();
  const nameOf = (kind: string) => (value: string) => {
    const name = names.get(value) ?? `${kind}-${names.size}`;
    names.set(value, name);
    return name;
  };
  return (text: string) =>
    text
      .replace(/(?!0{64})[0-9a-f]{64}/g, nameOf('HASH'))
      // A room of two is named by both ids, in an order that is chance.
      .replace(/dm~ag_[0-9a-f]{16}~ag_[0-9a-f]{16}/g, nameOf('DM'))
      .replace(/ag_[0-9a-f]{16}/g, nameOf('AGENT'))
      .replace(/ft_[\w-]{43}/g, nameOf('TOKEN'))
      .replace(/link=[\w-]{43}/g, nameOf('LINK'))
      .replace(/\b1[789]\d{8}\b/g, 'SECONDS')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, 'INSTANT')
      .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS');
}

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

/** The flags that a block gives `npm start`, and `port` and `data` where it gives none. */
function flagsOf(command: string, unless: { port: string; data: string }): string[] {
  const given = command.trim().split(' ').slice(3);
  const added = Object.entries(unless).filter(([name]) => !given.includes(`--${name}`));
  return [...given, ...added.flatMap(([name, value]) => [`--${name}`, value])];
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

it('the tour of karma runs every command of the protocol’s document, and prints what it prints', () => {
  const blocks = blocksUnder('A tour of karma');
  const textOf = (language: string) =>
    blocks
      .filter((block) => block.language === language)
      .map(({ text }) => text)
      .join('\n');
  const asTyped = (command: string) =>
    command.replace(/^curl -s /, "curl -sS -w '\\n' ").replaceAll('{base}', '$karma');
  for (const { command, answer } of document.commands) {
    assert.ok(textOf('sh').includes(`${asTyped(command)}\n`), command);
    if (command.includes('/leaderboard') || command.includes('-X POST')) {
      assert.ok(textOf('text').includes(`${JSON.stringify(answer)}\n`), command);
    }
  }
});

const tours = [
  'A tour of the guestbook',
  'A tour of the bar',
  'A tour of karma',
  'A tour of the forum',
  'A tour of the network',
];

const shellOf = (title: string) => blocksUnder(title).filter(({ language }) => language === 'sh');

it('no tour stands in the way of the next, and none leaves a key behind', () => {
  const starts = tours.flatMap((title) =>
    shellOf(title).flatMap(({ text }) => text.match(/^npm start.*/gm) ?? []),
  );
  assert.equal(starts.length, tours.length);
  const folders = starts.map((start) => / --data (\S+)/.exec(start)?.[1] ?? './data');
  assert.equal(new Set(folders).size, tours.length);
  for (const start of starts) assert.doesNotMatch(start, /--port/);
  for (const title of tours) {
    const texts = shellOf(title).map(({ text }) => text);
    if (texts.some((text) => text.includes('mktemp -d'))) {
      assert.equal(texts.at(-1), 'rm -rf $tour\n', title);
    }
  }
});

it('what a tour waits for may fail to come: then it says so and goes on', async () => {
  const texts = tours.flatMap((title) => shellOf(title).map(({ text }) => text));
  for (const text of texts) assert.doesNotMatch(text, /^\s*(until|while) .*\bdo\b/m);
  const wait = texts.join('').match(/^waitFor\(\) \{\n[\s\S]*?^\}$/m)?.[0];
  assert.ok(wait);
  using shell = openShell(repository_root);
  const said = await shell.paste(`sleep() { :; }\n${wait}\nwaitFor false 2>&1 || echo status $?`);
  assert.equal(said, 'Waited in vain for: false\nstatus 1\n');
});

it('a refusal in the place of a challenge, or no answer at all, is what the forum’s little program prints', async () => {
  const program = shellOf('A tour of the forum').find(({ text }) => text.includes('solve.mjs <<'));
  assert.ok(program);
  using shell = openShell(repository_root);
  await shell.paste(program.text);
  const refusal = '{"error":{"code":"handle_taken"}}';
  for (const [said, printed] of [
    [refusal, refusal],
    ['', 'is its house open?'],
    ['<html>Bad Gateway</html>', '<html>Bad Gateway</html>'],
  ] as const) {
    assert.equal(
      await shell.paste(`node $tour/solve.mjs '${said}' 2>&1 || echo status $?`),
      `The forum gave no challenge: ${printed}\nstatus 1\n`,
    );
  }
  await shell.paste('rm -rf $tour');
});

for (const title of tours) {
  it(`“${title}” in the README runs as it is printed, and answers what it prints`, async () => {
    await using stack = new AsyncDisposableStack();
    const folder = temporaryFolder();
    stack.defer(() => folder.remove());
    // The folder stands for the clone: its commands and packages, and a data folder of the test's own.
    mkdirSync(join(folder.path, 'bin'));
    for (const name of ['bin/stoa', 'clients', 'node_modules']) {
      symlinkSync(join(repository_root, name), join(folder.path, name));
    }
    const data = join(folder.path, 'data');
    const ports = new Map([
      ['8080', await freePort()],
      ['8081', await freePort()],
    ]);
    const shell = stack.use(openShell(folder.path));
    const blocks = blocksUnder(title);
    assert.ok(blocks.filter(({ language }) => language === 'sh').length >= 4);
    const [nameSaid, namePrinted] = [namesOfChance(), namesOfChance()];
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== 'sh') continue;
      const next: Block | undefined = blocks[index + 1];
      const printed = next?.language === 'text' ? next.text : '';
      const command = text
        .replace(/(127\.0\.0\.1:|--port )(\d+)/g, (_, before, port) => before + ports.get(port))
        .replaceAll('./data', data);
      const flags = flagsOf(command, { port: ports.get('8080') ?? '', data });
      const said = command.startsWith('npm start')
        ? stack.use(await startHouse(flags)).said
        : await shell.paste(command);
      const wanted = namePrinted(printed);
      const is = nameSaid(cutAs(said, printed));
      const tells_rooms = /^(npm start|bin\/stoa status)/.test(command);
      assert.equal(tells_rooms ? printedOf(is, wanted) : is, wanted, `${text}\n${said}`);
    }
  });
}
