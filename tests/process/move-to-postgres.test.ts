import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  hasNonce,
  insertNewNonces,
} from '../../packages/server/src/network/messages/nonce-store.ts';
import { readAnswer } from '../support/answers.ts';
import { enterBar } from '../support/bar-agents.ts';
import { startChild } from '../support/children.ts';
import { engines } from '../support/engines.ts';
import { joinForum } from '../support/forum-accounts.ts';
import { post } from '../support/forum-posts.ts';
import { freePort } from '../support/free-port.ts';
import { behind_proxy, bookOf } from '../support/guestbook.ts';
import { networkOf } from '../support/network-api.ts';
import { contacts, sendTo } from '../support/network-contacts.ts';
import { openTestHouse, type TestHouse } from '../support/open-house.ts';
import { createDatabase } from '../support/postgres.ts';
import { main_path, runServer, startServer } from '../support/serve.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function newDatabase(t: TestContext): Promise<string> {
  const database = await createDatabase();
  t.after(() => database.drop());
  return database.url;
}

const moveFlags = ({ data }: Pick<TestHouse, 'data'>, url: string) => [
  'move-to-postgres',
  '--data',
  data,
  '--database-url',
  url,
];

const move = (house: Pick<TestHouse, 'data'>, url: string) =>
  runServer(moveFlags(house, url), { cwd: house.data });

const startMove = (house: Pick<TestHouse, 'data'>, url: string) =>
  startChild(process.execPath, [main_path, ...moveFlags(house, url)], { cwd: house.data });

const review = {
  reviewer_id: 'ada',
  subject_id: 'brook',
  rating: 4,
  outcome: 'succeeded',
  task_summary: 'read a map',
};

/** Something in every room, and what reads it. */
async function fill(house: TestHouse) {
  const book = bookOf(house);
  const [guest, late_guest] = await book.join(2);
  assert.ok(guest && late_guest);
  assert.equal((await book.write(guest)).status, 201);
  const ada = await enterBar(house, 'Ada');
  const brook = await enterBar(house, 'Brook');
  for (const agent of [ada, brook]) await agent.call('POST', '/rooms/the-bar/join', {});
  for (const body of ['Good evening.', 'Who reads Latin?']) {
    const said = await ada.call('POST', '/rooms/the-bar/messages', { body });
    assert.equal(said.status, 201, JSON.stringify(said.body));
  }
  const member = await joinForum(house, 'mina');
  await post(member, { title: 'Carillons', body: 'Bells that are played.', audience: 'public' });
  await post(member, { title: 'Ophicleides', body: 'Low brass.', audience: 'agents' });
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(review);
  assert.equal(
    (await house.fetch('/karma/reviews', { method: 'POST', headers, body })).status,
    201,
  );
  const net = networkOf(house);
  const [from, to] = await contacts(net);
  await sendTo(net, from, to, 'After the move, too.');
  const nonce = { account: from.account, digest: Buffer.alloc(16, 7) };
  await house.house.deps.transact(({ db }) => insertNewNonces(db, [nonce]));

  const look = async (other: TestHouse) => {
    const at = async (path: string, init: RequestInit = {}) => {
      const { status, body } = await readAnswer(await other.fetch(path, init));
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      return body;
    };
    const by = (headers: Record<string, string>) => ({ headers });
    return {
      book: await bookOf(other).record(),
      bar: await at(
        '/bar/api/v1/rooms/the-bar/messages',
        by({ authorization: `Bearer ${brook.token}` }),
      ),
      found: await at('/forum/api/v1/search?q=carillons'),
      found_by_member: await at(
        '/forum/api/v1/search?q=ophicleides',
        by({ authorization: `Bearer ${member.token}` }),
      ),
      karma: await at('/karma/agents/brook/reputation'),
      queue: await at('/net/v1/net/messages', by({ 'x-inbox-passcode': to.passcode })),
    };
  };
  return { late_guest, ada, member, from, to, nonce, look };
}

if (engines.includes('postgres')) {
  test('stoa move-to-postgres takes a house along with all that was said in it, and it goes on and is backed up there', async (t) => {
    const url = await newDatabase(t);
    await using before = await openTestHouse({ engine: 'sqlite', config: behind_proxy });
    const { late_guest, ada, member, from, to, nonce, look } = await fill(before);
    const seen = await look(before);

    const too_early = await move(before, url);
    assert.equal(too_early.code, 1);
    assert.match(too_early.stderr, /^stoa: another house is open on this data folder[^\n]*$/);
    await before.house.close();
    const moved = await move(before, url);
    assert.equal(moved.code, 0, moved.stderr);
    assert.match(moved.stdout, /^stoa: log_entry: \d+$/m);
    assert.match(moved.stdout, /^stoa: moved \d+ rows, and read each of them back$/m);
    assert.ok(!moved.stdout.includes(new URL(url).password));
    assert.deepEqual(readdirSync(before.data).sort(), ['git', 'stoa.db.moved']);

    // Nobody opens another house in its place by mistake.
    const port = String(await freePort());
    const without = await runServer(['--port', port, '--data', before.data], { cwd: before.data });
    assert.match(without.stderr, /^stoa: the house of .* has moved to PostgreSQL[^\n]*$/);
    assert.deepEqual(readdirSync(before.data).sort(), ['git', 'stoa.db.moved']);

    await using after = await openTestHouse({
      engine: 'postgres',
      config: behind_proxy,
      config_file: `[network.git]\nfolder = "${join(before.data, 'git')}"\n`,
      beside: { ...before, house: before.house, database_url: url },
    });
    assert.deepEqual(await look(after), seen);
    assert.ok(await hasNonce(after.house.deps.read, nonce), 'a nonce stays spent');

    const file = join(before.data, 'copy.db');
    await assert.rejects(
      after.command('house', 'backup', { file }),
      /back it up first by `stoa network backup-cards <folder>`, then with pg_dump\.$/,
    );

    const book = bookOf(after);
    assert.equal((await book.write(late_guest)).status, 201);
    assert.equal((await book.visible()).length, 2);
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ body: 'And we go on.' });
    const said = await after.fetch('/bar/api/v1/rooms/the-bar/messages', {
      method: 'POST',
      headers,
      body,
    });
    const next = (await said.json()) as { prev_hash: string };
    // @NOTE The bar has answered this list, of at least two messages.
    const { messages } = seen.bar as { messages: { hash: string }[] };
    assert.equal(next.prev_hash, messages.at(-1)?.hash);
    await sendTo(networkOf(after), from, to, 'It goes on.');
    const of_member = {
      authorization: `Bearer ${member.token}`,
      'content-type': 'application/json',
    };
    const thread = JSON.stringify({ title: 'Serpents', body: 'Wooden.', audience: 'public' });
    const posted = await after.fetch('/forum/api/v1/posts', {
      method: 'POST',
      headers: of_member,
      body: thread,
    });
    assert.equal(posted.status, 201, await posted.text());
  });

  test('stoa move-to-postgres leaves a database alone that is not empty, and the house where it is', async (t) => {
    const url = await newDatabase(t);
    await using house = await openTestHouse({ engine: 'sqlite', rooms: ['karma'] });
    await house.house.close();
    await using server = await startServer({ database_url: url });
    await server.kill('SIGTERM');
    const refused = await move(house, url);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^stoa: the PostgreSQL database is not empty: [^\n]*$/);
    assert.ok(existsSync(join(house.data, 'stoa.db')));
    assert.ok(!existsSync(join(house.data, 'stoa.db.moved')));

    // Who then begins with that database is told what is left out.
    await using beside = await startServer({ database_url: url, flags: ['--data', house.data] });
    const lines = beside.stdout.filter((line) => line.includes('NOT OPENED'));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^stoa: NOT OPENED: .*stoa\.db\..*stoa move-to-postgres/);
  });

  test('a move that broke off opens no second house, whether all was there or nothing', async (t) => {
    await using house = await openTestHouse({ engine: 'sqlite', rooms: ['karma'] });
    await house.house.close();
    const [path, kept, moving] = ['stoa.db', 'stoa.db.moved', 'stoa.db.moving'].map((name) =>
      join(house.data, name),
    ) as [string, string, string];
    const refusedStart = async () => {
      const port = String(await freePort());
      const start = await runServer(['--port', port, '--data', house.data], { cwd: house.data });
      assert.equal(start.code, 1);
      assert.match(start.stderr, /^stoa: a move of the house of .* broke off; [^\n]*$/);
    };

    const url = await newDatabase(t);
    const killed = startMove(house, url);
    killed.onLine((line) => {
      if (/: \d+$/.test(line)) void killed.kill('SIGKILL');
    });
    assert.equal((await killed.exited).signal, 'SIGKILL');
    assert.ok(existsSync(path));
    await refusedStart();
    const again = await move(house, url);
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual([path, kept, moving].map(existsSync), [false, true, false]);

    // As after a crash between the commit and the new name.
    renameSync(kept, path);
    writeFileSync(moving, '');
    await refusedStart();
    const done = await move(house, url);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /not empty: .*if the move that broke off went there, all is there/);
    assert.deepEqual([path, kept, moving].map(existsSync), [true, false, true]);
  });

  test('stoa move-to-postgres says what it lacks, and makes nothing', async (t) => {
    const url = await newDatabase(t);
    const folder = temporaryFolder();
    t.after(() => folder.remove());
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const nothing = await move({ data }, url);
    assert.match(nothing.stderr, /^stoa: there is no .*stoa\.db, so nothing to move$/);
    const nowhere = await runServer(['move-to-postgres', '--data', data], { cwd: data });
    assert.match(nowhere.stderr, /^stoa: say where to, by --database-url[^\n]*$/);
    const unknown = await runServer(['move-to-postgres', '--dat', data], { cwd: data });
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /did you mean --data\?[\s\S]*stoa move-to-postgres --help/);
    assert.deepEqual(readdirSync(data), []);
  });
}
