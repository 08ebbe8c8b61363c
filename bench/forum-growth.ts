import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type BenchRow, median } from './bench.ts';
import { bench_config, fillForum, headersOf, makeForum, wordOf } from './forum-house.ts';

export type Sizes = { readonly few: number; readonly many: number };

const reads_per_median = 60;
const rounds = 3;
const paging_ratio_max = 1.5;
const search_ratio_max = 5;

/** Two words each, by their ranks in the vocabulary: how many posts have both is said by the answers. */
const queries = {
  'two words that a fifth of all posts have': [5, 9],
  'two common words': [30, 40],
  'two rarer words': [200, 300],
  'two rare words': [3_000, 4_000],
} as const;
type Query = keyof typeof queries;
const query_names = Object.keys(queries) as Query[];

const compact = (count: number) => count.toLocaleString('en-US');
const ms = (value: number) => `${value.toFixed(2)} ms`;

/** The medians of reads in a forum of so many posts. */
async function readsOf(posts: number, say: (line: string) => void) {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const [author, reader] = await makeForum(data, 2);
    fillForum(data, posts, author?.id ?? 0);
    await using server = await startServer({
      folder: folder.path,
      config: bench_config,
      flags: ['--log-level', 'warn'],
    });
    const api = `${server.base}/forum/api/v1`;
    const newer = (count: number) => Math.max(0, posts - count);
    const search = (name: Query, more = '') =>
      `/search?q=${queries[name].map(wordOf).join('+')}${more}`;
    const paths: Record<string, string> = {
      'list at its head': '/posts?limit=30',
      'list at its end': '/posts?limit=30&before=500',
      'suggestions, of which there are none': '/posts?kind=suggestion',
      'a thread': '/posts/1',
      'digest, 10 new': `/me/digest?since=${newer(10)}`,
      'digest, 200 new': `/me/digest?since=${newer(200)}`,
      'digest, 100,000 new': `/me/digest?since=${newer(100_000)}`,
    };
    for (const name of query_names) {
      paths[name] = search(name);
      paths[`${name}, in public`] = search(name, '&audience=public');
    }
    const times = new Map<string, number[]>();
    // In turn, so that a slow moment of the machine falls on all; the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, path] of Object.entries(paths)) {
        for (let read = 0; read < reads_per_median / rounds; read += 1) {
          const begun_at = performance.now();
          const answer = await fetch(api + path, { headers: headersOf(reader) });
          await answer.arrayBuffer();
          const taken = performance.now() - begun_at;
          if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
          if (round > 0) times.set(name, [...(times.get(name) ?? []), taken]);
        }
      }
    }
    const medians: Record<string, number> = {};
    for (const [name, taken] of times) {
      medians[name] = median(taken);
      say(`  ${compact(posts)} posts  ${name}: ${ms(median(taken))}`);
    }
    return (name: string) => medians[name] ?? Number.NaN;
  } finally {
    folder.remove();
  }
}

/** How reads of the forum grow with its posts. */
export async function measureGrowth(
  { few, many }: Sizes,
  say: (line: string) => void,
): Promise<BenchRow[]> {
  const small = await readsOf(few, say);
  const large = await readsOf(many, say);
  const within = (name: string, of: { what: string; value: number }, ratio_max: number) => ({
    of: `${of.what} (${ms(of.value)})`,
    value: of.value / large(name),
    target: Math.floor(100 / ratio_max) / 100,
  });
  const row = (name: string, ratio?: BenchRow['ratio']): BenchRow => ({
    what: `${name}, ${compact(many)} posts`,
    value: ms(large(name)),
    ...(ratio ? { ratio } : {}),
  });
  const head = { what: 'the time at its head', value: large('list at its head') };
  const digest = { what: 'the time with 200 new', value: large('digest, 200 new') };
  const before = (name: string) => ({ what: `the time at ${compact(few)}`, value: small(name) });
  const grown = (name: string, ratio_max: number) =>
    row(name, within(name, before(name), ratio_max));
  return [
    grown('list at its head', paging_ratio_max),
    row('list at its end', within('list at its end', head, paging_ratio_max)),
    grown('suggestions, of which there are none', paging_ratio_max),
    grown('a thread', paging_ratio_max),
    grown('digest, 10 new', paging_ratio_max),
    row('digest, 200 new'),
    row('digest, 100,000 new', within('digest, 100,000 new', digest, paging_ratio_max)),
    ...query_names.flatMap((name) => [
      grown(name, search_ratio_max),
      grown(`${name}, in public`, search_ratio_max),
    ]),
  ];
}
