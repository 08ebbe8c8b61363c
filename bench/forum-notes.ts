import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../packages/server/src/storage/sqlite/open-sqlite.ts';
import { addNotes } from '../tests/support/forum-notes.ts';
import { startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, median } from './bench.ts';
import { type BenchMember, bench_config, headersOf, makeForum } from './forum-house.ts';

const few = 500;
const many = 5_000;
const reads = 12;
const growth_max = 1.5;
/** Two kilobytes: five thousand such notes fill an account. */
const text_words = 340;

function* makeNotes(count: number) {
  for (let index = 0; index < count; index += 1) {
    const words = Array.from({ length: text_words }, (_, at) => `w${(index * 7 + at) % 5_003}`);
    // Of all notes one in a hundred has the rare word, each the common one.
    const rare = index % 100 === 0 ? ' rare' : '';
    const text = `common ${words.join(' ')}${rare}`;
    yield { name: `journal/${index}`, text, tags: index % 10 === 0 ? ['tenth'] : [] };
  }
}

const questions = {
  'a list by name': '/notes?limit=200',
  'a list by tag and prefix': '/notes?tag=tenth&prefix=journal/1',
  'a search for a rare word': '/notes?q=rare',
  'a search for two common words': '/notes?q=common+w17',
} as const;
type Question = keyof typeof questions;
const question_names = Object.keys(questions) as Question[];

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

async function timeOf(ask: () => Promise<Response>): Promise<number> {
  const begun_at = performance.now();
  const answer = await ask();
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  return performance.now() - begun_at;
}

type Medians = Record<Question | 'one note', number>;

/** Medians in milliseconds of what each of some members asks, in turn, so that a slow moment falls on all. */
async function measure(asks: readonly Ask[]): Promise<Medians[]> {
  const paths = Object.entries({ ...questions, 'one note': '/notes/journal/7' });
  const times = asks.map(() => new Map<string, number[]>(paths.map(([name]) => [name, []])));
  for (let read = 0; read <= reads; read += 1) {
    for (const [name, path] of paths) {
      for (const [index, ask] of asks.entries()) {
        const taken = await timeOf(() => ask(path));
        // The first one warms up.
        if (read > 0) times[index]?.get(name)?.push(taken);
      }
    }
  }
  // @NOTE Each name of a question has its times.
  return times.map((of) => {
    return Object.fromEntries([...of].map(([name, taken]) => [name, median(taken)])) as Medians;
  });
}

/** Medians of what writes: a note that is replaced, and a token that is. */
async function measureWrites(base: string, member: BenchMember) {
  const { id } = member;
  let { token } = member;
  const send = (method: string, path: string, body?: object) =>
    fetch(base + path, {
      method,
      headers: { ...headersOf({ id, token }), 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const [puts, rotations]: [number[], number[]] = [[], []];
  // Together fewer than an account may write in a minute.
  for (let index = 0; index < reads; index += 1) {
    const text = `a text ${index}`;
    puts.push(await timeOf(() => send('PUT', '/notes/journal/9', { text })));
    const begun_at = performance.now();
    const answer = await send('POST', '/me/token');
    const said = (await answer.json()) as { token?: string };
    rotations.push(performance.now() - begun_at);
    if (!said.token) throw new Error(`a rotation answered ${answer.status}`);
    token = said.token;
  }
  return { put: median(puts), rotation: median(rotations) };
}

const ms = (value: number) => `${value.toFixed(2)} ms`;
const us = (value: number) => `${(value * 1_000).toFixed(1)} µs a note`;
const compact = (count: number) => count.toLocaleString('en-US');

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const [small, large] = await makeForum(data, 2);
    if (!small || !large) throw new Error('two members were to be made');
    const storage = openSqlite(join(data, 'stoa.db'));
    await addNotes(storage, small, makeNotes(few));
    await addNotes(storage, large, makeNotes(many));
    await storage.close();
    await using server = await startServer({
      folder: folder.path,
      config: bench_config,
      flags: ['--log-level', 'warn'],
    });
    const base = `${server.base}/forum/api/v1`;
    const askAs =
      (member: BenchMember): Ask =>
      (path) =>
        fetch(base + path, { headers: headersOf(member) });
    const [at_few, at_many] = await measure([askAs(small), askAs(large)]);
    if (!at_few || !at_many) throw new Error('two were to be measured');
    say('  reads measured');
    const written_few = await measureWrites(base, small);
    const written_many = await measureWrites(base, large);
    const target = Math.floor(100 / growth_max) / 100;
    const costs = question_names.map((name): BenchRow => {
      const [cost_few, cost_many] = [at_few[name] / few, at_many[name] / many];
      return {
        what: `${name}, ${compact(many)} notes: ${ms(at_many[name])}`,
        value: us(cost_many),
        ratio: {
          of: `the same a note with ${few} (${us(cost_few)})`,
          value: cost_few / cost_many,
          target,
        },
      };
    });
    const flat = (what: string, at: number, base_ms: number): BenchRow => ({
      what: `${what}, ${compact(many)} notes`,
      value: ms(at),
      ratio: { of: `the time with ${few} (${ms(base_ms)})`, value: base_ms / at, target },
    });
    return [
      ...costs,
      flat('one note read by its name', at_many['one note'], at_few['one note']),
      flat('one note replaced', written_many.put, written_few.put),
      flat('a token replaced, which touches no note', written_many.rotation, written_few.rotation),
    ];
  } finally {
    folder.remove();
  }
}

/** What private notes cost as there are more of them. */
export const forum_notes_bench: Bench = {
  name: 'forum-notes',
  title: 'The forum: private notes, which are opened for each request',
  method:
    'Medians over HTTP, one request at a time, SQLite; notes of two kilobytes. A list opens the name and tags of every note of its account, a search their texts as well. A ratio of 0.66 or more means that a note costs at most 1.5 times as much among ten times as many, and that what concerns one note, or the token, takes the same.',
  run,
};
