import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Server, startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, median } from './bench.ts';
import {
  type BenchAgent,
  fillQueue,
  makeNetwork,
  network_config,
  writeCards,
} from './network-house.ts';

const few_messages = 1_000;
const many_messages = 1_000_000;
const few_cards = 10;
const many_cards = 10_000;
const reads_per_median = 100;
const growth_max = 1.5;

const compact = (count: number) => count.toLocaleString('en-US');
const ms = (value: number) => `${value.toFixed(2)} ms`;

/** Runs a server on a network that was made in an empty data folder. */
async function withServer<T>(
  make: (data: string) => Promise<BenchAgent[]>,
  measure: (server: Server, agents: readonly BenchAgent[]) => Promise<T>,
): Promise<T> {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const agents = await make(data);
    await using server = await startServer({
      folder: folder.path,
      config: network_config,
      flags: ['--log-level', 'warn'],
    });
    return await measure(server, agents);
  } finally {
    folder.remove();
  }
}

async function medianMs(url: string, passcode?: string): Promise<number> {
  const times: number[] = [];
  const headers: Record<string, string> =
    passcode === undefined ? {} : { 'x-inbox-passcode': passcode };
  for (let index = 0; index < reads_per_median; index += 1) {
    const begun_at = performance.now();
    const answer = await fetch(url, { headers });
    await answer.arrayBuffer();
    times.push(performance.now() - begun_at);
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  }
  return median(times);
}

const queueReads = (messages: number) =>
  withServer(
    async (data) => {
      const agents = await makeNetwork(data, 2);
      const [from, to] = agents;
      if (from && to) fillQueue(data, { from, to }, messages);
      return agents;
    },
    async ({ base }, [, to]) => {
      const queue = `${base}/net/v1/net/messages?limit=20`;
      return {
        near: await medianMs(`${queue}&after=${messages - 20}`, to?.passcode),
        start: await medianMs(`${queue}&after=0`, to?.passcode),
      };
    },
  );

const searches = (cards: number) =>
  withServer(
    async (data) => {
      const agents = await makeNetwork(data, cards);
      writeCards(data, agents);
      return agents;
    },
    async ({ base }) => {
      const directory = `${base}/net/v1/net/directory?limit=10`;
      const begun_at = performance.now();
      await fetch(directory).then((answer) => answer.arrayBuffer());
      return {
        cold: performance.now() - begun_at,
        words: await medianMs(`${directory}&q=subject+7`),
        capability: await medianMs(`${directory}&capability=concierge`),
      };
    },
  );

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  say(`  ${compact(few_messages)} messages …`);
  const few = await queueReads(few_messages);
  say(`  ${compact(many_messages)} messages …`);
  const many = await queueReads(many_messages);
  say(`  ${compact(few_cards)} cards …`);
  const small = await searches(few_cards);
  say(`  ${compact(many_cards)} cards …`);
  const large = await searches(many_cards);
  const grown = (what: string, name: keyof typeof few): BenchRow => ({
    what: `${what} of a queue of ${compact(many_messages)} messages`,
    value: ms(many[name]),
    ratio: {
      of: `its speed at ${compact(few_messages)} (${ms(few[name])})`,
      value: few[name] / many[name],
      target: Math.floor(100 / growth_max) / 100,
    },
  });
  const searched = (what: string, name: keyof typeof small): BenchRow => ({
    what: `${what}, ${compact(many_cards)} cards`,
    value: ms(large[name]),
    ratio: {
      of: `its speed at ${compact(few_cards)} (${ms(small[name])})`,
      value: small[name] / large[name],
    },
  });
  return [
    grown('the last 20', 'near'),
    grown('the first 20', 'start'),
    searched('the first look at the directory after a start', 'cold'),
    searched('a search for two words', 'words'),
    searched('a search for a capability', 'capability'),
  ];
}

/** Whether reads stay as quick as a network grows. */
export const network_growth_bench: Bench = {
  name: 'network-growth',
  title: 'The network as it grows',
  method: `Medians of ${reads_per_median} reads, one after the other, of a server on SQLite; the first look at the directory is one read, which reads every card.`,
  run,
};
