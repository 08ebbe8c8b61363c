import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { bar_bench } from './bar.ts';
import { bar_growth_bench } from './bar-growth.ts';
import { bar_waits_bench } from './bar-waits.ts';
import type { Bench, BenchRow } from './bench.ts';
import { client_bench } from './client.ts';
import { forum_bench } from './forum.ts';
import { forum_notes_bench } from './forum-notes.ts';
import { http_bench } from './http.ts';
import { karma_bench } from './karma.ts';
import { network_bench } from './network.ts';
import { network_growth_bench } from './network-growth.ts';
import { network_streams_bench } from './network-streams.ts';
import { storage_bench } from './storage.ts';

const benches: readonly Bench[] = [
  storage_bench,
  http_bench,
  bar_bench,
  bar_growth_bench,
  bar_waits_bench,
  client_bench,
  karma_bench,
  forum_bench,
  forum_notes_bench,
  network_bench,
  network_streams_bench,
  network_growth_bench,
];
const document_path = new URL('../docs/benchmarks.md', import.meta.url);

const { values: flags, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, help: { type: 'boolean' } },
});

function row({ what, value, ratio }: BenchRow): string {
  if (!ratio) return `| ${what} | ${value} | | |`;
  const target = ratio.target === undefined ? '' : `at least ${ratio.target}`;
  return `| ${what} | ${value} | ${ratio.value.toFixed(2)} of ${ratio.of} | ${target} |`;
}

function table(bench: Bench, rows: readonly BenchRow[]): string {
  const lines = [
    `## ${bench.title}`,
    '',
    bench.method,
    '',
    '| what | measured | ratio | target |',
    '|---|---|---|---|',
    ...rows.map(row),
  ];
  return `${lines.join('\n')}\n`;
}

function machine(): string {
  const gib = Math.round(totalmem() / 1024 ** 3);
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim()}), ${gib} GiB, ${type()} ${release()}, Node ${process.version}`;
}

async function main(): Promise<void> {
  const names = benches.map(({ name }) => name);
  if (flags.help) {
    console.log(
      `npm run bench [-- ${names.join('|')}] [-- --write]\n\n--write  put the tables of a whole run into docs/benchmarks.md`,
    );
    return;
  }
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`no bench "${unknown.join(', ')}"; there are ${names.join(', ')}`);
  const chosen = benches.filter(({ name }) => asked.length === 0 || asked.includes(name));
  const tables: string[] = [];
  let missed = 0;
  for (const bench of chosen) {
    console.error(`${bench.name} …`);
    const rows = await bench.run((line) => console.error(line));
    missed += rows.filter(({ ratio }) => ratio?.target && ratio.value < ratio.target).length;
    tables.push(table(bench, rows));
    console.log(`\n${tables.at(-1)}`);
  }
  if (flags.write) {
    const head = `# Benchmarks\n\nPrinted by \`npm run bench -- --write\`; each candidate runs beside its baseline in the same run. Ratios carry over to other machines, absolute numbers do not.\n\nMachine: ${machine()}.\n`;
    writeFileSync(document_path, [head, ...tables].join('\n'));
  }
  if (missed > 0) {
    console.error(`${missed} target(s) missed`);
    process.exitCode = 1;
  }
}

await main();
