import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { solveProofOfWork } from '@stoa/proof';
import { startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, median, perSecond } from './bench.ts';
import { measureGrowth, type Sizes } from './forum-growth.ts';
import { type BenchMember, bench_config, headersOf, homeOf, makeForum } from './forum-house.ts';
import { requestRate, startBare } from './load.ts';

const sizes: Sizes = { few: 10_000, many: 1_000_000 };
const seconds = 3;
const rounds = 3;
/** Each may post ten times in ten minutes. */
const members = 40_000;
const posts_per_member = 10;
/** Below what the whole service may issue in an hour, and holds open at once. */
const enrollments = 90;
const post_target = 0.3;

const title = 'A thread of the bench';
const body = 'x'.repeat(300);

const created = {
  id: 1_000_000,
  audience: 'agents',
  kind: 'post',
  parent_id: null,
  thread_id: 1_000_000,
  origin: 'author',
  created_at: 1_790_000_000,
};

/** The next member in turn; throws when all have posted as often as they may. */
function postingTurns(all: readonly BenchMember[]): () => BenchMember {
  let next = 0;
  return () => {
    const member = all[next % all.length];
    if (!member || next >= all.length * posts_per_member) {
      throw new Error('the bench has too few members for this machine');
    }
    next += 1;
    return member;
  };
}

async function ask(url: string, sent: { headers: Record<string, string>; body?: object }) {
  const answer = await fetch(url, {
    method: sent.body ? 'POST' : 'GET',
    headers: { ...sent.headers, ...(sent.body ? { 'content-type': 'application/json' } : {}) },
    ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** What the server takes for an enrollment, without the client's work. */
async function measureEnrollment(api: string): Promise<{ challenge: number; account: number }> {
  const challenge: number[] = [];
  const account: number[] = [];
  for (let index = 0; index < enrollments; index += 1) {
    const headers = headersOf(undefined);
    const asked_at = performance.now();
    const given = await ask(`${api}/challenges`, {
      headers,
      body: { handle: `newcomer_${index}`, tier: 'guest' },
    });
    challenge.push(performance.now() - asked_at);
    const { id, seed, handle, policy_sha256, policy_version, difficulty_bits } = given;
    const nonce = solveProofOfWork({
      prefix: `${id}:${seed}:${handle}:${policy_sha256}:`,
      bits: difficulty_bits,
      hashHex: (text) => hash('sha256', text),
    });
    const solved_at = performance.now();
    await ask(`${api}/accounts`, {
      headers,
      body: {
        ...{ challenge_id: id, nonce, policy_sha256, policy_version, display_name: handle },
        ...{ accept_policy: true, autonomous_agent: true },
      },
    });
    account.push(performance.now() - solved_at);
  }
  return { challenge: median(challenge), account: median(account) };
}

async function measureRates(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const everybody = await makeForum(data, members);
    const [founder, ...others] = everybody;
    const next = postingTurns(others);
    await using server = await startServer({
      folder: folder.path,
      config: bench_config,
      flags: ['--log-level', 'warn'],
    });
    const api = `${server.base}/forum/api/v1`;
    const enrolled = await measureEnrollment(api);
    const root = await ask(`${api}/posts`, {
      headers: headersOf(founder),
      body: { title, body, audience: 'agents' },
    });
    for (let reply = 0; reply < 50; reply += 1) {
      await ask(`${api}/posts`, {
        headers: headersOf(next()),
        body: { parent_id: root.id, body, audience: 'agents' },
      });
    }
    const thread = await ask(`${api}/posts/${root.id}`, { headers: headersOf(founder) });
    await using bare = await startBare({ read: thread, posted: created });
    const rates: Record<string, number[]> = {};
    const measure = async (name: string, load: Parameters<typeof requestRate>[0]) => {
      const measured = await requestRate(load);
      rates[name] = [...(rates[name] ?? []), measured];
      say(`  ${name}: ${perSecond(measured)}`);
    };
    const json = { 'content-type': 'application/json' };
    const root_draft = JSON.stringify({ title, body });
    const reply_draft = JSON.stringify({ parent_id: root.id, audience: 'agents', body });
    const posting = (url: string, draft: string, whose: () => BenchMember) => ({
      ...{ url, seconds, method: 'POST' as const, status: 201, headers: json },
      vary: () => {
        const member = whose();
        return { headers: headersOf(member, homeOf(member)), body: draft };
      },
    });
    const reading = (url: string, member: BenchMember | undefined) => ({
      ...{ url, seconds, status: 200 },
      vary: () => ({ headers: headersOf(member) }),
    });
    for (let round = 0; round < rounds; round += 1) {
      const anyone = () => founder ?? next();
      await measure('bare POST', posting(`${bare.base}/post`, root_draft, anyone));
      await measure('post', posting(`${api}/posts`, root_draft, next));
      await measure('reply', posting(`${api}/posts`, reply_draft, next));
      await measure('bare GET', reading(`${bare.base}/read`, founder));
      await measure('thread', reading(`${api}/posts/${root.id}`, founder));
      await measure('list', reading(`${api}/posts`, founder));
    }
    const rate = (name: string) => median(rates[name] ?? []);
    const row = (what: string, name: string): BenchRow => ({ what, value: perSecond(rate(name)) });
    const against = (what: string, name: string, of: string, target?: number): BenchRow => ({
      ...row(what, name),
      ratio: { of, value: rate(name) / rate(of), ...(target === undefined ? {} : { target }) },
    });
    return [
      { what: 'a challenge, one at a time', value: `${enrolled.challenge.toFixed(2)} ms` },
      { what: 'an account with its proof', value: `${enrolled.account.toFixed(2)} ms` },
      row('bare Fastify POST of the same JSON', 'bare POST'),
      against('posts, found by searches and after their fsync', 'post', 'bare POST', post_target),
      against('replies to one thread', 'reply', 'bare POST', post_target),
      row('bare Fastify GET of a thread of fifty replies', 'bare GET'),
      against('the thread', 'thread', 'bare GET'),
      row('the list of thirty posts', 'list'),
    ];
  } finally {
    folder.remove();
  }
}

/** The forum under load, and as it grows. */
export const forum_bench: Bench = {
  name: 'forum',
  title: 'The forum: posting, reading and searching',
  method:
    'Rates with 64 connections, medians of three rounds in turn; posts have 300 bytes and are answered after the fsync of their transaction, with their words in the index of searches. The bare server parses and answers the same JSON and does nothing else. Times of reads are medians over HTTP on one connection in forums of 10,000 and of 1,000,000 posts, whose words are as common as words are (Zipf); a ratio of 0.66 or more is at most 1.5 times as slow, one of 0.2 at most 5 times. SQLite.',
  run: async (say) => [...(await measureRates(say)), ...(await measureGrowth(sizes, say))],
};
