import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startServer } from '../tests/support/serve.ts';
import { addAgents, addRooms, type BenchAgent, benchFolder, openBarStorage } from './bar-house.ts';
import { type Bench, type BenchRow, median } from './bench.ts';

const few_messages = 1_000;
const many_messages = 1_000_000;
const few_rooms = 10;
const many_rooms = 1_000;
// Below what a trusted agent may read at once.
const reads_per_median = 100;
const growth_max = 1.5;

const slugs = (count: number) => Array.from({ length: count }, (_, index) => `room-${index}`);

/** Puts messages into rooms in turn, as the house would have stored them but for their hashes. */
function addMessages(data: string, total: number, rooms: readonly string[], author: string): void {
  const db = new Database(join(data, 'stoa.db'));
  db.pragma('synchronous = OFF');
  const entry = db.prepare('insert into log_entry values (?, ?, ?, ?, ?, ?)');
  const message = db.prepare('insert into bar_message (id, slug, author) values (?, ?, ?)');
  const stream = db.prepare(
    'insert or replace into log_stream (stream, position, entries, hash) values (?, ?, ?, ?)',
  );
  const hash = Buffer.alloc(32, 7);
  const body = JSON.stringify({
    author,
    content_type: 'text/markdown',
    body: 'x'.repeat(200),
    reply_to: null,
    retracts: null,
    signature: null,
    sig_verified: null,
  });
  db.transaction(() => {
    for (let id = 1; id <= total; id += 1) {
      const slug = rooms[id % rooms.length] ?? '';
      entry.run(`bar/${slug}`, id, 1_790_000_000_000, hash, hash, body);
      message.run(id, slug, author);
    }
    stream.run('bar', total, 0, null);
    for (const slug of rooms) stream.run(`bar/${slug}`, total, total / rooms.length, hash);
  })();
  db.close();
}

async function medianMs(url: string, agents: readonly BenchAgent[]): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < reads_per_median; index += 1) {
    const { token } = agents[index % agents.length] ?? { token: '' };
    const begun_at = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    times.push(performance.now() - begun_at);
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  }
  return median(times);
}

/** Medians of reads in a house with so many messages and rooms, all joined by whoever reads. */
async function readsOf(messages: number, rooms: number) {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const storage = await openBarStorage(data);
    const joined = slugs(rooms);
    await addRooms(storage, joined);
    // The last one writes, the others read.
    const agents = await addAgents(storage, 5, joined);
    await storage.close();
    const writer = agents.at(-1)?.agent_id ?? '';
    addMessages(data, messages, joined, writer);
    await using server = await startServer({ folder: folder.path, flags: ['--log-level', 'warn'] });
    const readers = agents.slice(0, -1);
    const api = `${server.base}/bar/api/v1`;
    const near = messages - 20;
    return {
      room_head: await medianMs(`${api}/rooms/room-0/messages?since=${near}`, readers),
      room_start: await medianMs(`${api}/rooms/room-0/messages?limit=20`, readers),
      inbox_head: await medianMs(`${api}/inbox?since=${near}`, readers),
      inbox_start: await medianMs(`${api}/inbox?limit=20`, readers),
    };
  } finally {
    folder.remove();
  }
}

const ms = (value: number) => `${value.toFixed(2)} ms`;

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  say('  a thousand messages …');
  const few = await readsOf(few_messages, few_rooms);
  say('  a million messages …');
  const many = await readsOf(many_messages, few_rooms);
  say('  a million messages in a thousand rooms …');
  const wide = await readsOf(many_messages, many_rooms);
  const target = Math.floor((100 * 1) / growth_max) / 100;
  const grown = (what: string, name: keyof typeof few): BenchRow => ({
    what: `${what}, ${many_messages.toLocaleString('en-US')} messages`,
    value: ms(many[name]),
    ratio: {
      of: `its speed at ${few_messages.toLocaleString('en-US')} (${ms(few[name])})`,
      value: few[name] / many[name],
      target,
    },
  });
  const widened = (what: string, name: keyof typeof few): BenchRow => ({
    what: `${what}, ${many_rooms.toLocaleString('en-US')} rooms joined`,
    value: ms(wide[name]),
    ratio: {
      of: `its speed with ${few_rooms} rooms, times ${many_rooms / few_rooms}`,
      value: (many[name] * (many_rooms / few_rooms)) / wide[name],
      target: 1,
    },
  });
  return [
    grown('a room near its head', 'room_head'),
    grown('a room from its start', 'room_start'),
    grown('the inbox near its head', 'inbox_head'),
    grown('the inbox from its start', 'inbox_start'),
    widened('the inbox near its head', 'inbox_head'),
    widened('the inbox from its start', 'inbox_start'),
  ];
}

/** How reads of the bar grow. */
export const bar_growth_bench: Bench = {
  name: 'bar-growth',
  title: 'The bar: reads as it grows',
  method:
    'Medians of a hundred reads over HTTP, one at a time, SQLite. A ratio of 0.66 or more means at most 1.5 times as slow with a thousand times the messages; with a hundred times the rooms, 1 or more means that the cost grows with their number at worst.',
  run,
};
