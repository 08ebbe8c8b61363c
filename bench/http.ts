import { startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, median, perSecond } from './bench.ts';
import { requestRate, startBare } from './load.ts';

const seconds = 4;
const rounds = 3;
const no_hash = '0'.repeat(64);

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  try {
    await using server = await startServer({
      folder: folder.path,
      flags: ['--log-level', 'warn'],
    });
    const head = { seq: 0, hash: no_hash, updatedUtc: null };
    await using bare = await startBare({ read: head, posted: {} });
    const candidates = {
      'bare Fastify GET of the same JSON': `${bare.base}/read`,
      'the head of the guestbook': `${server.base}/guestbook/api/guestbook/head`,
      'the entries of the guestbook': `${server.base}/guestbook/api/guestbook/entries`,
      'the front page': `${server.base}/`,
    };
    const rates = new Map<string, number[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const [what, url] of Object.entries(candidates)) {
        const rate = await requestRate({ url, seconds, status: 200 });
        rates.set(what, [...(rates.get(what) ?? []), rate]);
        say(`  round ${round}/${rounds}  ${what}: ${perSecond(rate)}`);
      }
    }
    const [[of, baseline] = ['', []], ...ours] = rates;
    return [
      { what: of, value: perSecond(median(baseline)) },
      ...ours.map(([what, measured]) => ({
        what,
        value: perSecond(median(measured)),
        ratio: { of, value: median(measured) / median(baseline) },
      })),
    ];
  } finally {
    folder.remove();
  }
}

/** What the host costs on a read. */
export const http_bench: Bench = {
  name: 'http',
  title: 'HTTP: reads at 64 connections, SQLite, an empty book',
  method:
    'Both servers are processes of their own; the load comes from this one. Each answer of ours is read from the database, counted, logged where it must be, and carries a request id.',
  run,
};
