import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { system_clock } from '../packages/server/src/clock.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { insertAccount } from '../packages/server/src/forum/accounts/account-store.ts';
import { newAccount } from '../packages/server/src/forum/accounts/new-account.ts';
import { mintToken } from '../packages/server/src/forum/accounts/token.ts';
import { newDataKey, wrapUnderToken } from '../packages/server/src/forum/notes/data-key.ts';
import { nextNumber } from '../packages/server/src/forum/number-store.ts';
import { findNewestPolicy } from '../packages/server/src/forum/policy/policy-store.ts';
import { openHouse, rooms } from '../packages/server/src/house.ts';
import { system_random } from '../packages/server/src/random.ts';
import { digestSecret } from '../packages/server/src/secrets.ts';
import { openSqlite } from '../packages/server/src/storage/sqlite/open-sqlite.ts';

export type BenchMember = { readonly id: number; readonly token: string };

/** Requests name the addresses that they come from, many enough that none meets the ceiling of one. */
export const bench_config = 'trust_proxy = 1\n';

const batch = 500;

/** Opens a house on a data folder once, so that its database and its policy are there. */
async function found(data: string): Promise<void> {
  const read = readConfig({
    argv: ['--data', data],
    env: {},
    readFile: () => undefined,
    room_schemas: Object.fromEntries(rooms.map(({ name, settings }) => [name, settings])),
  });
  const { forum } = read.rooms;
  const house = await openHouse({
    // Other rooms settle things of their own at their first start.
    config: { ...read, port: 0, public_url: '', rooms: forum ? { forum } : {} },
    clock: system_clock,
    random: system_random,
    logger: pino({ level: 'silent' }),
  });
  await fetch(`${house.listening}/forum/api/v1/policy`).then((answer) => answer.arrayBuffer());
  await house.close();
}

/** Makes a forum with full accounts in an empty data folder; nobody runs it then. */
export async function makeForum(data: string, members: number): Promise<BenchMember[]> {
  await found(data);
  const storage = openSqlite(join(data, 'stoa.db'));
  const made: BenchMember[] = [];
  const nowSeconds = () => Math.floor(system_clock.now() / 1_000);
  const policy = await findNewestPolicy(storage.read);
  if (!policy) throw new Error('the forum was not founded');
  for (let start = 0; start < members; start += batch) {
    await storage.transact(async ({ db }) => {
      for (let index = start; index < Math.min(members, start + batch); index += 1) {
        const id = await nextNumber(db, 'account');
        const token = mintToken(system_random);
        await insertAccount(db, {
          ...newAccount({ random: system_random, nowSeconds }, policy),
          ...wrapUnderToken(system_random, id, token, newDataKey(system_random)),
          id,
          handle: `bench_${index}`,
          handle_digest: digestSecret(`bench_${index}`),
          display_name: `Bench ${index}`,
          role: 'member',
          tier: 'full',
          quota_bytes: 10_485_760,
        });
        made.push({ id, token });
      }
    });
  }
  await storage.close();
  return made;
}

/** Numbers that are the same in every run, as if drawn at random, from 0 to 1. */
function drawer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const vocabulary = 50_000;
/** The word of a rank: the lower, the more often it is used. */
export const wordOf = (rank: number) => `w${rank.toString(36)}`;

const title_words = 6;
const body_words = 40;
/** One post of so many begins a thread; the others reply to it. */
const posts_per_thread = 5;

/**
 * Writes `count` posts of one author into the database of a closed house, as the room would have stored
 * them: words as common as words are (by Zipf's law), threads of five posts, every second one public.
 */
export function fillForum(data: string, count: number, author_id: number): void {
  const db = new Database(join(data, 'stoa.db'));
  db.pragma('synchronous = OFF');
  const draw = drawer(count);
  const text = (words: number) =>
    Array.from({ length: words }, () =>
      wordOf(Math.floor(Math.exp(draw() * Math.log(vocabulary))) - 1),
    ).join(' ');
  const post = db.prepare(
    `insert into forum_post (id, thread_id, parent_id, author_id, kind, title, body, audience, status, origin,
      created_at, stored_at, reply_count, bytes) values (?, ?, ?, ?, ?, ?, ?, ?, 'active', 'author', ?, ?, ?, ?)`,
  );
  const found = (audience: string) =>
    db.prepare(
      `insert into forum_found_${audience} (rowid, title_runs, body_runs) values (?, ?, ?)`,
    );
  const findable = { agents: found('agents'), public: found('public') };
  const entry = db.prepare(
    "insert into log_entry (stream, position, at, body) values ('forum-activity', ?, ?, ?)",
  );
  const at = 1_790_000_000;
  const store = db.transaction((from: number, to: number) => {
    for (let id = from; id <= to; id += 1) {
      const thread_id = id - ((id - 1) % posts_per_thread);
      const is_root = id === thread_id;
      const audience = thread_id % 2 === 0 ? 'public' : 'agents';
      const [title, body] = [is_root ? text(title_words) : null, text(body_words)];
      const of_thread = [thread_id, is_root ? null : thread_id];
      const said = [is_root ? 'post' : null, title, body, audience];
      const bytes = (title ?? '').length + body.length;
      const replies = is_root ? posts_per_thread - 1 : 0;
      post.run(id, ...of_thread, author_id, ...said, at, at * 1_000, replies, bytes);
      findable[audience].run(id, title ?? '', body);
      const activity = { post_id: id, thread_id, author_id, mentions: [] };
      entry.run(id, at * 1_000, JSON.stringify(activity));
    }
  });
  const rows_max = 20_000;
  for (let from = 1; from <= count; from += rows_max) {
    store(from, Math.min(count, from + rows_max - 1));
  }
  db.prepare(
    "insert or replace into log_stream (stream, position, entries, hash) values ('forum-activity', ?, ?, null)",
  ).run(count, count);
  db.prepare("insert or replace into forum_number (kind, value) values ('post', ?)").run(count);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

const addressOf = (net: number, number: number) =>
  `${net}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

let addresses = 0;

/** An address that no other request came from. */
function newAddress(): string {
  addresses += 1;
  return addressOf(10, addresses);
}

/** The address that a member always comes from. */
export const homeOf = ({ id }: BenchMember) => addressOf(11, id);

/** The headers of a member's request from `address`. */
export function headersOf(
  member: BenchMember | undefined,
  address = newAddress(),
): Record<string, string> {
  return {
    'x-forwarded-for': address,
    ...(member ? { authorization: `Bearer ${member.token}` } : {}),
  };
}
