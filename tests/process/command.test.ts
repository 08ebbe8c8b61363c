import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Entry } from '@stoa/proof/guestbook';
import {
  bar_commands,
  type Command,
  forum_commands,
  guestbook_commands,
  house_commands,
  network_commands,
} from '@stoa/wire';
import type { TSchema } from 'typebox';
import { makeAgents } from '../support/agents.ts';
import { childEnvironment, runChild } from '../support/children.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import { book_start, practice_flags, servedBook } from '../support/served-book.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');
const stoa = join(root, 'bin', 'stoa');
const verifier = join(root, 'clients', 'verify-guestbook.mjs');

const operator_commands = {
  house: house_commands,
  bar: bar_commands,
  forum: forum_commands,
  guestbook: guestbook_commands,
  network: network_commands,
};

function newFolder(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  return folder.path;
}

/** Runs `bin/stoa` with these words in the folder of a server, whose data folder it then finds by itself. */
function run({ folder }: { folder: string }, words: string, env: Record<string, string> = {}) {
  return runChild(stoa, words.split(' '), { cwd: folder, env: childEnvironment(env) });
}

async function says(server: { folder: string }, words: string, expected: string): Promise<void> {
  const { code, stdout, stderr } = await run(server, words);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: expected, stderr: '' }, words);
}

async function fails(server: { folder: string }, words: string, expected: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(server, words);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, words);
  assert.match(stderr, expected, words);
  assert.doesNotMatch(stderr, /\bat .+:\d+|node:|node_modules/, words);
}

/** Lets `count` agents sign the book of a practising server. */
async function sign(server: Server, count: number): Promise<Entry[]> {
  const book = servedBook(server);
  const date = await book.advance(0);
  for (const agent of makeAgents(count)) {
    assert.equal((await book.register(agent, 0)).status, 201);
    assert.equal((await book.post(agent, { date, message: `From ${agent.name}` })).status, 201);
  }
  return book.entriesAfter(book_start);
}

test('stoa guestbook hide, unhide, suspend and resume act on the running house', async () => {
  await using server = await startServer({ flags: practice_flags });
  const book = servedBook(server);
  const [first, second] = await sign(server, 2);
  assert.ok(first && second);
  const read = () => book.entriesAfter(book_start);

  await says(server, 'guestbook hide 1', 'Entry 1 is hidden; its place in the chain stays.');
  const { seq, prevHash, entryHash } = first;
  assert.deepEqual(await read(), [{ seq, prevHash, entryHash, hidden: true }, second]);
  await says(server, 'guestbook hide 1', 'Entry 1 is hidden; its place in the chain stays.');
  await says(server, 'guestbook unhide 1', 'Entry 1 is shown.');
  assert.deepEqual(await read(), [first, second]);

  await says(server, 'guestbook suspend', 'Writing is suspended; reading goes on.');
  const [, , newcomer] = makeAgents(3);
  assert.ok(newcomer);
  const refused = await book.register(newcomer, 0);
  assert.equal(refused.status, 503);
  assert.match(refused.text, /"writes-disabled"/);
  assert.equal((await book.get('/head')).status, 200);
  await says(server, 'guestbook resume', 'Writing goes on.');
  assert.equal((await book.register(newcomer, 0)).status, 201);

  await fails(server, 'guestbook hide 3', /^stoa: There is no entry 3\.$/);
  await fails(
    server,
    'guestbook hide 0',
    /^stoa: seq must be 1 or more; send the seq of an entry$/,
  );
  await fails(server, 'guestbook hide first', /^stoa: seq must be a whole number.*"first"$/);
  await fails(server, 'guestbook hide', /missing required argument 'seq'/);
  assert.deepEqual(await read(), [first, second], 'and nothing was changed by what failed');
});

test('stoa status says what the house is doing, and finds it by --data and STOA_DATA', async (t) => {
  await using server = await startServer({ flags: practice_flags });
  await sign(server, 1);
  const elsewhere = { folder: newFolder(t) };
  const { stdout } = await run(elsewhere, `status --data ${server.data}`);
  assert.match(stdout, /^stoa \d+\.\d+\.\d+, open since \d{4}-.*Z, in practice mode$/m);
  assert.ok(stdout.includes(`\nlistening on ${server.base}\n`));
  assert.match(stdout, /^database: sqlite$/m);
  assert.match(stdout, /^guestbook: http\S+\/guestbook \(.*1.*\)$/m);
  const json = await run(elsewhere, 'status --json', { STOA_DATA: server.data });
  const { said, rooms, listening, practice } = JSON.parse(json.stdout);
  assert.deepEqual([said, listening, practice], [stdout, server.base, true]);
  const { url, counts } = rooms.guestbook;
  assert.deepEqual([url, counts], [`${server.base}/guestbook`, { lines: 1, agents: 1 }]);
});

test('stoa status names what is paused, which each command says of its own', async () => {
  await using server = await startServer({ flags: practice_flags });
  const paused = async () => {
    const { stdout } = await run(server, 'status --json');
    const { said, rooms } = JSON.parse(stdout);
    const held = Object.entries<{ paused: string[] }>(rooms).map(([name, room]) =>
      room.paused.map((what) => `${name} ${what}`),
    );
    return { held: held.flat().sort(), lines: said.match(/^\w+: .* is paused$/gm) ?? [] };
  };
  assert.deepEqual(await paused(), { held: [], lines: [] });
  await run(server, 'guestbook suspend');
  await run(server, 'forum registration paused');
  await says(server, 'network registration', 'Registration is open.');
  await run(server, 'network registration paused');
  await says(server, 'network registration', 'Registration is paused.');
  const { held, lines } = await paused();
  assert.deepEqual(held, ['forum registration', 'guestbook writing', 'network registration']);
  assert.equal(lines.length, 3);
  await run(server, 'guestbook resume');
  await run(server, 'forum registration open');
  await run(server, 'network registration open');
  assert.deepEqual(await paused(), { held: [], lines: [] });
});

test('stoa says so when no house is open, also after one was killed', async (t) => {
  const folder = newFolder(t);
  const expected = /^stoa: no house is open on .*admin\.sock; .*stoa serve.*--data$/;
  await fails({ folder }, 'status', expected);
  await using server = await startServer({ folder });
  await server.kill('SIGKILL');
  await fails(server, 'guestbook suspend', expected);
});

test('stoa --help lists the commands, and what it does not know it says', async (t) => {
  const here = { folder: newFolder(t) };
  const help = await run(here, '--help');
  assert.equal(help.code, 0);
  for (const word of ['serve', 'move-to-postgres', 'status', 'backup <file>', 'guestbook']) {
    assert.ok(help.stdout.includes(`\n  ${word} `), word);
  }
  const room_help = await run(here, 'guestbook --help');
  for (const word of ['hide <seq>', 'unhide <seq>', 'suspend', 'resume']) {
    assert.ok(room_help.stdout.includes(`\n  ${word} `), word);
  }
  await fails(here, 'guestbok', /^stoa: unknown command 'guestbok'.*\nstoa: `stoa --help` /s);
  await fails(
    here,
    'guestbook hid',
    /^stoa: unknown command 'hid'.*\nstoa: `stoa guestbook --help` /s,
  );
  await fails(here, 'status --prot', /^stoa: unknown option '--prot'\nstoa: `stoa status --help` /);
  // What would move the cursor or turn the text around is written out.
  const hidden = '\u001b[2J\u202e';
  for (const [words, expected] of [
    [hidden, /^stoa: unknown command '\\u001b\[2J\\u202e'\n/],
    [`guestbook ${hidden}`, /^stoa: unknown command '\\u001b\[2J\\u202e'\n/],
    [`status --${hidden}`, /^stoa: unknown option '--\\u001b\[2J\\u202e'\n/],
    [`network sign-up a --url ${hidden}`, /argument '\\u001b\[2J\\u202e' is invalid/],
  ] as const) {
    await fails(here, words, expected);
  }
  await fails(here, 'backup', /'file'\nstoa: `stoa backup --help` says what it takes\.$/);
  await fails(here, 'forum owner token', /'confirm'\nstoa: `stoa forum owner-token --help` /);
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
  await says(here, '--version', version);
});

test('who asks for the help of what is no command is told so', async (t) => {
  const here = { folder: newFolder(t) };
  for (const words of ['karma', 'karma --help', 'help karma']) {
    await fails(here, words, /^stoa: karma has no commands\nstoa: `stoa --help` /);
  }
  await fails(here, 'nonsense --help', /^stoa: unknown command 'nonsense'\nstoa: `stoa --help` /);
  await fails(here, 'guestbook hid -h', /^stoa: unknown command 'hid'.*`stoa guestbook --help` /s);
  await fails(here, 'help nonsense', /^stoa: unknown command 'nonsense'/);
  for (const [words, usage] of [
    ['help', 'stoa [options] [command]'],
    ['help guestbook', 'stoa guestbook [options] [command]'],
    ['help guestbook hide', 'stoa guestbook hide [options] <seq>'],
    ['guestbook help hide', 'stoa guestbook hide [options] <seq>'],
    ['help serve', 'stoa serve [flags]'],
  ] as const) {
    const { code, stdout } = await run(here, words);
    assert.deepEqual([code, stdout.split('\n', 1)[0]], [0, `Usage: ${usage}`], words);
  }
});

/** The values that a schema takes, if it lists them. */
function listedValues(schema: TSchema): string[] {
  const listed = schema as { enum?: string[]; const?: string; anyOf?: TSchema[] };
  if (listed.const !== undefined) return [listed.const];
  return listed.enum ?? listed.anyOf?.flatMap(listedValues) ?? [];
}

test('the help of every command says what it prints', async (t) => {
  const here = { folder: newFolder(t) };
  const words = Object.entries(operator_commands).flatMap(([room, commands]) =>
    Object.values<Command>(commands).map(({ verb }) =>
      room === 'house' ? verb : `${room} ${verb}`,
    ),
  );
  const { stdout } = await run(here, 'network --help');
  const of_agents = stdout.slice(stdout.indexOf("An agent's commands")).matchAll(/^ {2}([\w-]+)/gm);
  const all = [...words, ...[...of_agents].map(([, verb]) => `network ${verb}`)];
  assert.ok(all.includes('network read') && all.includes('backup'), all.join());
  for (const command of all) {
    const help = await run(here, `${command} --help`);
    assert.match(help.stdout, /\n\nPrints [\s\S]+[.]$/, command);
    const wide = help.stdout.split('\n').filter((line) => line.length > 80);
    assert.deepEqual(wide, [], command);
    // An agent's command refuses the folder of a house.
    const is_of_agent = help.stdout.includes('\n  --agent <file> ');
    assert.equal(help.stdout.includes('\n  --data <folder> '), !is_of_agent, command);
    assert.ok(help.stdout.includes('\n  --json '), command);
  }
});

test('every value that a help names is taken as it is printed', async (t) => {
  const here = { folder: newFolder(t) };
  let seen = 0;
  for (const [room, commands] of Object.entries(operator_commands)) {
    for (const { verb, arguments: taken } of Object.values<Command>(commands)) {
      const fields = Object.entries(taken.properties)
        .map(([name, schema]) => ({ name, values: listedValues(schema) }))
        .filter(({ values }) => values.length > 0);
      if (fields.length === 0) continue;
      const words = room === 'house' ? verb : `${room} ${verb}`;
      const { stdout } = await run(here, `${words} --help`);
      for (const { name, values } of fields) {
        // From the line of the field to the next one that is not indented as its text is.
        const said = new RegExp(`^ {2}(?:--)?${name}\\b.*(?:\\n {10,}.*)*`, 'm').exec(stdout)?.[0];
        assert.ok(said, `${words}: ${name}`);
        const printed = said.replace(/<\w+>/g, '').split(/[^\w-]+/);
        for (const value of values) {
          assert.ok(printed.includes(value), `${words}: ${name} does not name ${value}`);
          const others = printed.filter((word) => word.toLowerCase() === value.toLowerCase());
          assert.deepEqual([...new Set(others)], [value], words);
          seen += 1;
        }
      }
    }
  }
  assert.ok(seen >= 10, `${seen} values`);
});

test('bin/stoa works from anywhere and through a link', async (t) => {
  const folder = newFolder(t);
  symlinkSync(stoa, join(folder, 'linked'));
  const { code, stdout } = await runChild(join(folder, 'linked'), ['--help'], { cwd: folder });
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: stoa /);
});

test('stoa backup copies the book of a house at work; the copy opens as a house and verifies', async (t) => {
  await using server = await startServer({ flags: practice_flags });
  const before = await sign(server, 3);
  const other = { folder: newFolder(t) };
  // The house and the operator stand in different folders; the path is the operator's.
  const { code, stdout } = await run(other, `backup copy.db --data ${server.data}`);
  const copy = join(other.folder, 'copy.db');
  assert.equal(code, 0);
  assert.ok(stdout.startsWith(`The database was copied to ${copy}.\n`), stdout);
  assert.equal((statSync(copy).mode & 0o777).toString(8), '600');
  await fails(
    other,
    `backup copy.db --data ${server.data}`,
    /copy\.db exists already; name another file, or move it away first\.$/,
  );
  await fails(
    other,
    `backup none/copy.db --data ${server.data}`,
    /^stoa: The database was not copied to .*none.copy\.db: there is no folder \S+none; make it first/,
  );

  mkdirSync(join(other.folder, 'data'));
  renameSync(copy, join(other.folder, 'data', 'stoa.db'));
  await using restored = await startServer({ folder: other.folder, flags: practice_flags });
  assert.deepEqual(await servedBook(restored).entriesAfter(book_start), before);
  const verified = await runChild(process.execPath, [verifier, `${restored.base}/guestbook`]);
  assert.equal(verified.code, 0, verified.stderr);
  assert.ok(verified.stdout.includes('ok: 3 entries'));
  const [agent] = makeAgents(1);
  assert.ok(agent);
  assert.equal((await servedBook(restored).register(agent, 0)).status, 409, 'agents came along');
});

test('stoa backup of a house on PostgreSQL names the tool for that', async (t) => {
  const database = await createDatabase();
  t.after(() => database.drop());
  await using server = await startServer({ database_url: database.url });
  await fails(server, 'backup copy.db', /PostgreSQL.*pg_dump/);
});

test('stoa forum takes its orders in one word or in two, and says what became of them [FORUM-252]', async () => {
  await using server = await startServer({ flags: practice_flags });
  for (const words of ['forum owner-link', 'forum owner link']) {
    const { code, stdout, stderr } = await run(server, words);
    assert.deepEqual([code, stderr], [0, ''], words);
    assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\/forum\/owner\/enter\?link=[\w-]{43}$/);
  }
  await says(server, 'forum audit verify', 'All 0 entries of the audit trail hold.');
  await says(server, 'forum registration', 'Registration is open.');
  await says(server, 'forum registration paused', 'Registration is paused.');
  await says(server, 'forum registration', 'Registration is paused.');
  await says(server, 'forum audit-verify', 'The one entry of the audit trail holds.');
  await says(
    server,
    'forum accounts',
    'number  handle  role   tier  status\n1       owner   owner  full  active',
  );
  await fails(server, 'forum role 1 moderator', /The role of the owner cannot be changed\./);
  await fails(server, 'forum registration Open', /^stoa: state must be open or paused$/);
  await fails(
    server,
    'forum suspend 99 why',
    /^stoa: There is no account 99\. `bin\/stoa forum accounts` lists/,
  );
  await fails(
    server,
    'forum hide post 7 why',
    /^stoa: There is no post 7, or it was removed\. `bin\/stoa forum reports` lists/,
  );
  await fails(server, 'forum resolve report 7', /^stoa: There is no report 7\. /);
  await says(server, 'forum reports', 'There are no such reports.');
  await fails(server, 'forum storage 1 5', /quota_bytes must be from 10485760/);
  await fails(
    server,
    'forum policy publish none.json',
    /none\.json could not be read: there is no/,
  );
  await fails(server, 'forum owner token', /confirm/);
  const { code, stdout } = await run(server, 'forum owner token erase-my-notes');
  assert.equal(code, 0);
  assert.match(stdout, /^ft_[\w-]{43}$/);
});

test('stoa serve takes the data folder before the word too, as other commands do', async (t) => {
  const folder = newFolder(t);
  for (const words of [
    ['--data', folder, 'serve'],
    [`--data=${folder}`, 'serve'],
  ]) {
    const { code, stderr } = await runChild(stoa, [...words, '--port', 'none'], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /^stoa: --port must be a whole number/);
  }
  await fails({ folder }, '--json serve', /^stoa: serve comes first: `stoa serve \[flags\]`$/);
});
