import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import {
  addWeighted,
  recentScore,
  scoreOfSums,
  type WeightedSums,
  weightUnits,
} from '../packages/proof/src/karma/index.ts';
import { system_clock } from '../packages/server/src/clock.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { openHouse, rooms } from '../packages/server/src/house.ts';
import { system_random } from '../packages/server/src/random.ts';
import { type Bench, type BenchRow, median } from './bench.ts';

const sizes = [1_000, 1_000_000] as const;
const reads = 2_000;
const posts = 9;
const reviews_per_agent = 20;
const reviewed_by_busy = 10_000;
const ratio_max = 1.5;
const spread_ms_max = 50;
const day = 20_000;
const day_ms = 86_400_000;

/** Numbers that are the same in every run, as if drawn at random. */
function drawer(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

type Row = WeightedSums & {
  received: number;
  rating_sum: number;
  reviewers: number;
  subjects: number;
  top_reviews: number;
  reciprocal: number;
};

const newRow = (): Row => ({
  weight_high: 0,
  weight_low: 0,
  weighted_high: 0,
  weighted_low: 0,
  received: 0,
  rating_sum: 0,
  reviewers: 0,
  subjects: 0,
  top_reviews: 0,
  reciprocal: 0,
});

/** What a history adds up to, computed from the definition and not by the room. */
function addUp(reviews: readonly (readonly [reviewer: number, subject: number, rating: number])[]) {
  const agents: Row[] = [];
  const pairs = new Map<number, [reviewer: number, subject: number, count: number, sum: number]>();
  const agent = (number: number) => {
    agents[number - 1] ??= newRow();
    return agents[number - 1] ?? newRow();
  };
  for (const [reviewer, subject, rating] of reviews) {
    agent(reviewer);
    agent(subject).received += 1;
    agent(subject).rating_sum += rating;
    const key = reviewer * 2 ** 24 + subject;
    const pair = pairs.get(key) ?? [reviewer, subject, 0, 0];
    pair[2] += 1;
    pair[3] += rating;
    pairs.set(key, pair);
  }
  for (const [reviewer, subject, count, rating_sum] of pairs.values()) {
    const row = agent(subject);
    row.reviewers += 1;
    agent(reviewer).subjects += 1;
    row.top_reviews = Math.max(row.top_reviews, count);
    if (pairs.has(subject * 2 ** 24 + reviewer)) row.reciprocal += count;
    addWeighted(row, weightUnits(agent(reviewer).received), { reviews: count, rating_sum });
  }
  return { agents, pairs };
}

/** Writes a registry of `count` reviews, and one agent who reviewed many, into the database of a closed house. */
function fill(path: string, count: number): void {
  const draw = drawer(count);
  const regular = Math.max(50, Math.floor(count / reviews_per_agent));
  // The first agent has as many reviews at any size, so that answers are as long.
  const reviews: [number, number, number][] = Array.from({ length: count }, (_, index) => {
    const subject = index < 50 ? 1 : 2 + draw(regular - 1);
    const reviewer = 1 + ((subject + draw(regular - 1)) % regular);
    return [reviewer, subject, 1 + draw(5)];
  });
  const busy = regular + 1;
  for (let index = 0; index < reviewed_by_busy; index += 1) {
    reviews.push([busy, busy + 1 + index, 1 + draw(5)]);
  }
  const { agents, pairs } = addUp(reviews);
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  db.transaction(() => {
    const agent = db.prepare(
      `insert into karma_agent (number, agent_id, received, rating_sum, succeeded, weight_high, weight_low,
        weighted_high, weighted_low, score, recent_score, reviewers, subjects, reciprocal, top_reviews)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const one_day = db.prepare('insert into karma_day values (?, ?, ?, ?, ?)');
    for (const [index, row] of agents.entries()) {
      const { received, rating_sum } = row;
      const score = Math.round(scoreOfSums(row) * 1_000);
      const recent = recentScore(received === 0 ? [] : [{ day, reviews: received, rating_sum }]);
      agent.run(
        ...[index + 1, index + 1 === busy ? 'busy' : `agent-${index + 1}`, received, rating_sum],
        ...[received, row.weight_high, row.weight_low, row.weighted_high, row.weighted_low],
        ...[score, Math.round(recent * 1_000), row.reviewers, row.subjects, row.reciprocal],
        row.top_reviews,
      );
      if (received > 0) one_day.run(index + 1, day, received, rating_sum, score);
    }
    const review = db.prepare(
      `insert into karma_review (review_id, reviewer_no, subject_no, rating, outcome, task_summary,
        created_at) values (?, ?, ?, ?, 'succeeded', 'a task', ?)`,
    );
    for (const [index, [reviewer, subject, rating]] of reviews.entries()) {
      review.run(index + 1, reviewer, subject, rating, day * day_ms);
    }
    const pair = db.prepare('insert into karma_pair values (?, ?, ?, ?, 0)');
    for (const of of pairs.values()) pair.run(...of);
  })();
  db.close();
}

async function openBenchHouse(data: string) {
  const read = readConfig({
    argv: ['--data', data],
    env: {},
    readFile: () => undefined,
    room_schemas: Object.fromEntries(rooms.map(({ name, settings }) => [name, settings])),
  });
  return openHouse({
    // Each review comes from an address of its own.
    config: { ...read, port: 0, public_url: '', trust_proxy: 1 },
    clock: system_clock,
    random: system_random,
    logger: pino({ level: 'silent' }),
  });
}

type Ask = (path: string, body?: object) => Promise<unknown>;

/** One client on one connection. */
function openClient(base: string): Ask & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let address = 0;
  const ask: Ask = (path, body) =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${base}/karma${path}`,
        {
          agent,
          method: body ? 'POST' : 'GET',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(text));
            else reject(new Error(`${path}: ${answer.statusCode} ${text}`));
          });
        },
      );
      address += 1;
      sent.on('error', reject);
      sent.end(body ? JSON.stringify(body) : undefined);
    });
  return Object.assign(ask, { close: () => agent.destroy() });
}

/** The times of `count` requests, one after another, in milliseconds. */
async function timesOf(count: number, ask: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begun_at = performance.now();
    await ask(index);
    times.push(performance.now() - begun_at);
  }
  return times;
}

const candidates = Array.from({ length: 20 }, (_, index) => `agent-${index + 1}`).join(',');
const questions = {
  reputation: '/agents/agent-1/reputation',
  'choose of 20': `/choose?candidates=${candidates}`,
  leaderboard: '/leaderboard',
} as const;
type Question = keyof typeof questions;
const names = Object.keys(questions) as Question[];

const review = (subject_id: string, index: number) => ({
  reviewer_id: `client-${index}`,
  subject_id,
  rating: 5,
  outcome: 'succeeded',
});

type Measured = Record<Question | 'review' | 'review of the busy one', number> & {
  busy_max: number;
  busy_settled: number;
  board_while_spreading: number;
};

async function measure(count: number, say: (line: string) => void): Promise<Measured> {
  const data = mkdtempSync(join(tmpdir(), 'stoa-bench-'));
  try {
    const empty = await openBenchHouse(data);
    await empty.close();
    fill(join(data, 'stoa.db'), count);
    const house = await openBenchHouse(data);
    const ask = openClient(house.listening);
    try {
      const times = new Map<string, number[]>();
      // In turn, so that a slow moment falls on all.
      for (let round = 0; round < 5; round += 1) {
        for (const name of names) {
          const some = await timesOf(reads / 5, () => ask(questions[name]));
          // The first round warms up.
          if (round > 0) times.set(name, [...(times.get(name) ?? []), ...some]);
        }
      }
      const reviews = await timesOf(100, (index) => ask('/reviews', review('agent-1', index)));
      const isSpreading = async () => {
        const rows = await house.deps.read.selectFrom('karma_spread').selectAll().execute();
        return rows.length > 0;
      };
      const busy: number[] = [];
      const settled: number[] = [];
      const boards: number[] = [];
      for (let index = 0; index < posts; index += 1) {
        const begun_at = performance.now();
        busy.push(...(await timesOf(1, () => ask('/reviews', review('busy', index)))));
        while (await isSpreading()) boards.push(...(await timesOf(1, () => ask('/leaderboard'))));
        settled.push(performance.now() - begun_at);
      }
      const reading = Object.fromEntries(
        names.map((name) => [name, median(times.get(name) ?? [])]),
      ) as Record<Question, number>;
      const measured = {
        ...reading,
        review: median(reviews),
        'review of the busy one': median(busy),
        busy_max: Math.max(...busy),
        busy_settled: median(settled),
        board_while_spreading: median(boards),
      };
      for (const [what, ms] of Object.entries(measured))
        say(`  ${count} reviews  ${what}: ${shown(ms)}`);
      return measured;
    } finally {
      ask.close();
      await house.close();
    }
  } finally {
    rmSync(data, { recursive: true });
  }
}

const shown = (ms: number): string => `${ms.toFixed(2)} ms`;

/** What a registry's size costs. */
export const karma_bench: Bench = {
  name: 'karma',
  title: 'Karma: answers at 1,000 and at 1,000,000 reviews',
  method:
    'Medians over HTTP on one connection, SQLite; the registry beside one agent who has reviewed 10,000 others. A ratio of 1 / 1.5 = 0.67 or more means that a million reviews slow an answer down by at most half. A review of the busy agent is on disk, and in every answer, when it is acknowledged; a job then carries its new weight to the 10,000, and answers make up for what it has not reached.',
  run: async (say) => {
    const [small, large] = [await measure(sizes[0], say), await measure(sizes[1], say)];
    const rows: BenchRow[] = [...names, 'review' as const].flatMap((name) => [
      { what: `${name}, 1,000 reviews`, value: shown(small[name]) },
      {
        what: `${name}, 1,000,000 reviews`,
        value: shown(large[name]),
        ratio: {
          of: 'the time at 1,000',
          value: small[name] / large[name],
          target: Math.round((100 * 1) / ratio_max) / 100,
        },
      },
    ]);
    return [
      ...rows,
      {
        what: 'review of an agent who reviewed 10,000, among 1,000,000',
        value: shown(large['review of the busy one']),
        ratio: {
          of: `${spread_ms_max} ms`,
          value: spread_ms_max / large['review of the busy one'],
          target: 1,
        },
      },
      { what: 'the slowest of these', value: shown(large.busy_max) },
      { what: 'until its weight has reached all 10,000', value: shown(large.busy_settled) },
      { what: 'leaderboard meanwhile', value: shown(large.board_while_spreading) },
    ];
  },
};
