import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Entry } from '@stoa/proof/guestbook';
import type { Engine } from '../../packages/server/src/storage/storage.ts';
import { makeAgent, type TestAgent } from '../support/agents.ts';
import type { Answer } from '../support/answers.ts';
import { runChild } from '../support/children.ts';
import { forEachEngine } from '../support/engines.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Server, startServer } from '../support/serve.ts';
import {
  book_start,
  placeOf,
  practice_flags,
  type ServedBook,
  servedBook,
  trusting_config,
} from '../support/served-book.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { checkBookRows } from './book-rows.ts';
import { type Chance, drawChance, drawn } from './draw.ts';
import type { Place } from './ledger.ts';

const verifier = fileURLToPath(new URL('../../clients/verify-guestbook.mjs', import.meta.url));
/** Under the hundred that a day of the book takes. */
const posts_per_day_max = 60;

type Home = { folder: string; database_url?: string; place: Place };

async function newHome(t: TestContext, engine: Engine): Promise<Home> {
  const { path: folder, remove } = temporaryFolder();
  t.after(remove);
  if (engine === 'sqlite') {
    return { folder, place: { sqlite_path: join(folder, 'data', 'stoa.db') } };
  }
  const { url: database_url, drop } = await createDatabase();
  t.after(drop);
  return { folder, database_url, place: { database_url } };
}

/** What the server has promised so far, over all of its lives. */
class Promises {
  readonly registered: TestAgent[] = [];
  readonly posted: { seq: number; line: Record<string, unknown> }[] = [];
  /** Days that the clock has been moved by; each life begins at the machine's own time again. */
  days = 0;
  agents_made = 0;
  /** Called with each promise, as soon as it is read. */
  onPromise = () => {};

  /** A new agent, to be registered from an address that it shares with four others. */
  makeAgent(): { agent: TestAgent; address: number } {
    this.agents_made += 1;
    const name = `Agent ${this.agents_made}`;
    return { agent: makeAgent(name, name), address: Math.floor(this.agents_made / 5) };
  }

  keepRegistration(agent: TestAgent, answer: Answer): void {
    assert.equal(answer.status, 201, answer.text);
    this.onPromise();
    this.registered.push(agent);
  }

  keepPost(agent: TestAgent, line: { date: string; message: string }, answer: Answer): void {
    assert.equal(answer.status, 201, answer.text);
    this.onPromise();
    const { seq, prevHash, entryHash, postedUtc } = answer.body as Record<string, unknown>;
    const sent = { agent: agent.fingerprint, name: agent.name, ...line };
    this.posted.push({ seq: Number(seq), line: { prevHash, entryHash, postedUtc, ...sent } });
  }
}

/** A day of traffic: everybody posts once, newcomers register, readers read. */
async function liveOneDay(book: ServedBook, promises: Promises, chance: Chance): Promise<void> {
  const date = await book.advance(1);
  promises.days += 1;
  const order = promises.registered.toSorted(() => chance.below(3) - 1);
  const posts = order.slice(0, posts_per_day_max).map(async (agent) => {
    await sleep(chance.below(40));
    const line = { date, message: `What ${agent.name} says on ${date}` };
    promises.keepPost(agent, line, await book.post(agent, line));
  });
  const registrations = Array.from({ length: 5 }, async () => {
    const { agent, address } = promises.makeAgent();
    await sleep(chance.below(40));
    promises.keepRegistration(agent, await book.register(agent, address));
  });
  const reads = ['/head', '/entries?limit=20', '/head'].map(async (path) => {
    await sleep(chance.below(40));
    assert.equal((await book.get(path)).status, 200);
  });
  await Promise.all([...posts, ...registrations, ...reads]);
}

/** Lives on until the server is gone: killed at a random moment, or right after a random answer. */
async function liveUntilKilled(
  server: Server,
  book: ServedBook,
  promises: Promises,
  chance: Chance,
) {
  let is_killed = false;
  const kill = () => {
    is_killed = true;
    return server.kill('SIGKILL');
  };
  if (chance.onceIn(2)) void sleep(chance.below(400)).then(kill);
  else {
    let promises_left = chance.below(40);
    promises.onPromise = () => {
      if (promises_left === 0) void kill();
      promises_left -= 1;
    };
  }
  try {
    for (;;) await liveOneDay(book, promises, chance);
  } catch (error) {
    // What was on its way fails with the server, and promises nothing.
    if (!is_killed || error instanceof assert.AssertionError) throw error;
  }
  await server.exited;
  promises.onPromise = () => {};
}

function assertKept(promises: Promises, first: number, entries: readonly Entry[]): void {
  for (const { seq, line } of promises.posted) {
    if (seq < first) continue;
    const entry: Record<string, unknown> = { ...entries[seq - first] };
    const found = Object.fromEntries(Object.keys(line).map((key) => [key, entry[key]]));
    assert.deepEqual(found, line, `what was answered with 201 stands at seq ${seq}`);
  }
}

function assertHead(answer: Answer, last: Entry | undefined): void {
  const head = {
    seq: last?.seq ?? 0,
    hash: last?.entryHash ?? book_start.hash,
    updatedUtc: last && 'postedUtc' in last ? last.postedUtc : null,
  };
  assert.deepEqual(answer.body, head, 'the head is the last entry');
}

forEachEngine((engine) => {
  test('a server killed at any moment keeps every line and every agent it took, and no part of another [BOOK-093]', async (t) => {
    const chance = drawChance(t);
    const { folder, database_url, place } = await newHome(t, engine);
    const promises = new Promises();
    const kills = drawn(50, 3);
    let last: Entry | undefined;
    for (let round = 0; round <= kills; round += 1) {
      await using server = await startServer({
        folder,
        ...(database_url ? { database_url } : {}),
        flags: practice_flags,
        config: trusting_config,
      });
      const book = servedBook(server);
      const entries = await book.entriesAfter(last ? placeOf(last) : book_start);
      assertKept(promises, (last?.seq ?? 0) + 1, entries);
      last = entries.at(-1) ?? last;
      assertHead(await book.get('/head'), last);
      const agents = await checkBookRows(place);
      for (const { fingerprint, name } of promises.registered)
        assert.ok(agents.has(fingerprint), name);

      if (round === kills) {
        assertKept(promises, 1, await book.entriesAfter(book_start));
        const verified = await runChild(process.execPath, [verifier, `${server.base}/guestbook`]);
        assert.equal(verified.code, 0, verified.stderr);
        assert.ok(verified.stdout.includes(`ok: ${last?.seq ?? 0} entries`), verified.stdout);
      } else {
        await book.advance(promises.days);
        await liveUntilKilled(server, book, promises, chance);
      }
    }
    t.diagnostic(
      `${kills} kills, ${promises.posted.length} lines and ${promises.registered.length} agents promised and found, ${last?.seq} lines in the book`,
    );
    const promised = promises.posted.length + promises.registered.length;
    assert.ok(promised > kills, 'there was a load to be killed under');
  });
});
