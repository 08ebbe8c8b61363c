import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sendCommand } from '../../packages/cli/src/send-command.ts';
import { makeAgent, type TestAgent } from '../support/agents.ts';
import { assertNothingLeaks, readAnswer } from '../support/answers.ts';
import { runChild } from '../support/children.ts';
import { forEachEngine } from '../support/engines.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import {
  book_start,
  practice_flags,
  type ServedBook,
  servedBook,
  trusting_config,
} from '../support/served-book.ts';
import { type Chance, chanceOf, drawChance, drawn } from './draw.ts';
import { drawRequest, type Operation, operationsOf, sendRubbish } from './garbage.ts';

const verifier = fileURLToPath(new URL('../../clients/verify-guestbook.mjs', import.meta.url));
const soak_ms = drawn(120_000, 4_000);

/** What the people of this test share. */
type Town = {
  server: Server;
  book: ServedBook;
  operations: readonly Operation[];
  /** The date of the house, as far as is known. */
  date: string;
  agents: TestAgent[];
  agents_made: number;
  /** Lines that were answered with 201, by seq. */
  posted: Map<number, { agent: string; message: string; entryHash: string }>;
  /** How often each status was answered. */
  statuses: Map<number, number>;
};

function count({ statuses }: Town, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Fails on an answer that says that the fault is the server's, save the one that the operator orders. */
function assertNoFault(town: Town, status: number, said: string, what: string): void {
  count(town, status);
  const is_suspended = status === 503 && said.includes('"writes-disabled"');
  assert.ok(status < 500 || is_suspended, `${what}: ${status} ${said}`);
}

async function readSomething(town: Town, chance: Chance): Promise<void> {
  const paths = ['/', '/guestbook/', '/llms.txt', '/guestbook/api/guestbook/head'];
  const after = chance.below(town.posted.size + 2);
  paths.push(`/guestbook/api/guestbook/entries?after=${after}&limit=${1 + chance.below(500)}`);
  const path = chance.pick(paths);
  const { status, text: said } = await readAnswer(await fetch(town.server.base + path));
  count(town, status);
  assert.equal(status, 200, `${path}: ${said}`);
}

async function joinIn(town: Town): Promise<void> {
  town.agents_made += 1;
  const name = `Agent ${town.agents_made}`;
  const agent = makeAgent(name, name);
  const answer = await town.book.register(agent, Math.floor(town.agents_made / 5));
  assertNoFault(town, answer.status, answer.text, 'register');
  if (answer.status === 201) town.agents.push(agent);
}

async function post(town: Town, chance: Chance): Promise<void> {
  if (town.agents.length === 0) return sleep(5);
  const agent = chance.pick(town.agents);
  const message = `Line ${chance.below(1e6)} of ${agent.name}`;
  const answer = await town.book.post(agent, { date: town.date, message });
  assertNoFault(town, answer.status, answer.text, 'post');
  if (answer.status !== 201) return;
  const { seq, entryHash } = answer.body as { seq: number; entryHash: string };
  town.posted.set(seq, { agent: agent.fingerprint, message, entryHash });
}

async function sendGarbage(town: Town, chance: Chance): Promise<void> {
  if (chance.onceIn(3)) {
    const port = Number(new URL(town.server.base).port);
    const { statuses, said } = await sendRubbish(port, chance);
    for (const status of statuses) assertNoFault(town, status, said, 'rubbish');
    return;
  }
  const { path, init } = drawRequest(chance, town.operations);
  const answer = await readAnswer(await fetch(town.server.base + path, init));
  assertNoFault(town, answer.status, answer.text, `${init.method} ${path}`);
  if (answer.status >= 400 && answer.status < 500) assertNothingLeaks(answer.text.slice(0, 2_000));
}

async function giveOrders(town: Town, chance: Chance): Promise<void> {
  const socket = join(town.server.data, 'admin.sock');
  const order = (path: string, given: Record<string, unknown> = {}) =>
    sendCommand({ socket, path, given });
  const seq = 1 + chance.below(town.posted.size + 1);
  if (town.posted.has(seq)) {
    await order(`/guestbook/${chance.pick(['hide', 'unhide'])}`, { seq });
  }
  await order('/house/status');
  if (chance.onceIn(20)) {
    await order('/guestbook/suspend');
    await sleep(50);
    await order('/guestbook/resume');
  }
  const file = join(town.server.folder, 'copy.db');
  if (chance.onceIn(10) && existsSync(join(town.server.data, 'stoa.db'))) {
    await order('/house/backup', { file });
    rmSync(file);
    rmSync(`${file}.git`, { recursive: true, force: true });
  }
  await sleep(20);
}

async function turnDays(town: Town): Promise<void> {
  await sleep(500);
  town.date = await town.book.advance(1);
}

async function readMetric({ data }: Server, name: string): Promise<number> {
  const metrics = await new Promise<string>((resolve, reject) => {
    const options = { socketPath: join(data, 'admin.sock'), path: '/metrics' };
    request(options, (answer) => resolve(text(answer)))
      .on('error', reject)
      .end();
  });
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}

async function discoverOperations({ base, stdout }: Server): Promise<Operation[]> {
  const mounts = stdout.flatMap((line) => /^stoa: \w+ at (\S+)$/.exec(line)?.[1] ?? []);
  const documents = [base, ...mounts].map(async (room_base) => {
    const document = await (await fetch(`${room_base}/openapi.json`)).json();
    return operationsOf(new URL(room_base).pathname.replace(/\/$/, ''), document);
  });
  const all = (await Promise.all(documents)).flat();
  // What practice mode offers would move the clock by decades.
  return all.filter(({ path }) => !path.startsWith('/practice/'));
}

/** Lives in the town until the time is over; answers the heap of the server over that time. */
async function liveOn(town: Town, chance: Chance): Promise<number[]> {
  const ends_at = performance.now() + soak_ms;
  const until = async (act: () => Promise<void>) => {
    while (performance.now() < ends_at) await act();
  };
  const heaps: number[] = [];
  const seeded = () => chanceOf(chance.below(2 ** 31));
  const several = (hands: number, act: (own: Chance) => Promise<void>) =>
    Array.from({ length: hands }, () => {
      const own = seeded();
      return until(() => act(own));
    });
  await Promise.all([
    ...several(3, (own) => readSomething(town, own)),
    ...several(1, () => joinIn(town)),
    ...several(3, (own) => post(town, own)),
    ...several(6, (own) => sendGarbage(town, own)),
    ...several(1, (own) => giveOrders(town, own)),
    until(() => turnDays(town)),
    until(async () => {
      await sleep(250);
      heaps.push(await readMetric(town.server, 'nodejs_heap_size_used_bytes'));
    }),
  ]);
  return heaps;
}

const least = (values: readonly number[]) => Math.min(...values);

forEachEngine((engine) => {
  test('a server under mixed traffic and garbage gives no fault, keeps its book and its size', async (t) => {
    const chance = drawChance(t);
    const database = engine === 'postgres' ? await createDatabase() : undefined;
    t.after(() => database?.drop());
    await using server = await startServer({
      flags: practice_flags,
      config: trusting_config,
      ...(database ? { database_url: database.url } : {}),
    });
    const book = servedBook(server);
    const town: Town = {
      server,
      book,
      operations: await discoverOperations(server),
      date: await book.advance(0),
      agents: [],
      agents_made: 0,
      posted: new Map(),
      statuses: new Map(),
    };
    const heaps = await liveOn(town, chance);

    const verified = await runChild(process.execPath, [verifier, `${server.base}/guestbook`]);
    assert.equal(verified.code, 0, verified.stderr);
    const entries = await book.entriesAfter(book_start);
    for (const [seq, { agent, message, entryHash }] of town.posted) {
      const entry = entries[seq - 1];
      assert.equal(entry?.entryHash, entryHash, `seq ${seq}`);
      if (entry && 'message' in entry) {
        assert.deepEqual({ agent: entry.agent, message: entry.message }, { agent, message });
      }
    }
    assert.equal(entries.length, town.posted.size, 'and nothing else is in the book');
    assert.ok(town.posted.size > 0);

    const half = Math.floor(heaps.length / 2);
    const [first, second] = [least(heaps.slice(0, half)), least(heaps.slice(half))];
    const resident = await readMetric(server, 'process_resident_memory_bytes');
    const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
    const statuses = [...town.statuses].sort().map(([status, n]) => `${status}: ${n}`);
    t.diagnostic(`${town.operations.length} operations; ${statuses.join(', ')}`);
    t.diagnostic(`heap ${mb(first)}, later ${mb(second)}; resident ${mb(resident)}`);
    // Within seconds a collection more or less says nothing of growth; within minutes it does.
    const grows_at_most = process.env.STOA_CHAOS === 'full' ? 20e6 : 150e6;
    assert.ok(second < 1.3 * first + grows_at_most, 'the heap does not grow');
    assert.ok(resident < 800e6, `resident: ${mb(resident)}`);

    assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null }, server.output());
    assert.deepEqual(server.stderr, []);
    const complaints = server.stdout.filter((line) => line.startsWith('{'));
    assert.deepEqual(complaints, [], 'nothing was logged as a warning or worse');
  });
});
