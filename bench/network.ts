import { sign } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageText } from '@stoa/proof/network';
import { startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, median, perSecond } from './bench.ts';
import { requestRate, startBare } from './load.ts';
import {
  type BenchAgent,
  makeContacts,
  makeNetwork,
  network_config,
  writeCards,
} from './network-house.ts';
import { verifyRate } from './verify-rate.ts';

const agents_count = 256;
const rounds = 3;
const seconds = 3;
const text = 'x'.repeat(200);
const json = { 'content-type': 'application/json' };

/** Gives agents in turn, each with the contact that comes after it. */
function turns(agents: readonly BenchAgent[]) {
  let next = 0;
  return () => {
    const index = next++ % agents.length;
    const [from, to] = [agents[index], agents[(index + 1) % agents.length]];
    if (!from || !to) throw new Error('there are no agents');
    return { from, to };
  };
}

const credential = ({ passcode }: BenchAgent) => ({ 'x-inbox-passcode': passcode });
let nonces = 0;

/** More signed messages than are sent in a round. */
const signed_count = 20_000 * seconds;

/** The body of a message that is signed now. */
function signedBody(from: BenchAgent, to: BenchAgent): string {
  nonces += 1;
  const fields = { text, ts: String(Math.floor(Date.now() / 1_000)), nonce: `n${nonces}` };
  const message = messageText({ from: from.address, to: to.address, thread: '', ...fields });
  const sig = sign(null, Buffer.from(message), from.key).toString('base64url');
  return JSON.stringify({ to: to.address, ...fields, sig });
}

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const agents = await makeNetwork(data, agents_count);
    makeContacts(data, agents);
    writeCards(data, agents);
    const next = turns(agents);
    await using server = await startServer({
      folder: folder.path,
      config: network_config,
      flags: ['--log-level', 'warn'],
    });
    const url = `${server.base}/net/v1/net/messages`;
    const { from, to } = next();
    const first = await fetch(url, {
      method: 'POST',
      headers: { ...json, ...credential(from) },
      body: signedBody(from, to),
    });
    if (first.status !== 201) throw new Error(`a send answered ${await first.text()}`);
    const posted = await first.json();
    await using bare = await startBare({ read: {}, posted });
    const rates: Record<string, number[]> = {};
    const measure = async (name: string, rate: () => Promise<number>) => {
      const measured = await rate();
      rates[name] = [...(rates[name] ?? []), measured];
      say(`  ${name}: ${perSecond(measured)}`);
    };
    const send = (
      name: string,
      to_url: string,
      bodyOf: (from: BenchAgent, to: BenchAgent) => string,
    ) =>
      measure(name, () =>
        requestRate({
          url: to_url,
          seconds,
          method: 'POST',
          status: 201,
          headers: json,
          vary: () => {
            const pair = next();
            return { headers: credential(pair.from), body: bodyOf(pair.from, pair.to) };
          },
        }),
      );
    const unsigned = (_: BenchAgent, recipient: BenchAgent) =>
      JSON.stringify({ to: recipient.address, text });
    // A body belongs to its pair, so each comes up where it is that pair's turn.
    const signedAhead = () => {
      const pairs = turns(agents);
      const bodies = new Map<BenchAgent, string[]>();
      for (let index = 0; index < signed_count; index += 1) {
        const pair = pairs();
        const own = bodies.get(pair.from) ?? [];
        bodies.set(pair.from, own);
        own.push(signedBody(pair.from, pair.to));
      }
      return (sender: BenchAgent, recipient: BenchAgent) =>
        bodies.get(sender)?.pop() ?? signedBody(sender, recipient);
    };
    for (let round = 0; round < rounds; round += 1) {
      await send('bare POST', `${bare.base}/post`, unsigned);
      await send('unsigned send', url, unsigned);
      await send('signed send', url, signedAhead());
      await measure('verify alone', () => verifyRate(text));
    }
    const rate = (name: string) => median(rates[name] ?? []);
    const against = (what: string, name: string, of: string, target: number): BenchRow => ({
      what,
      value: perSecond(rate(name)),
      ratio: { of, value: rate(name) / rate(of), target },
    });
    return [
      { what: 'bare Fastify POST of the same JSON', value: perSecond(rate('bare POST')) },
      against(
        'unsigned messages to contacts, after their fsync',
        'unsigned send',
        'bare POST',
        0.3,
      ),
      { what: 'Ed25519 verified by the thread pool alone', value: perSecond(rate('verify alone')) },
      against('signed messages to contacts, after their fsync', 'signed send', 'verify alone', 0.5),
    ];
  } finally {
    folder.remove();
  }
}

/** Sending messages to contacts. */
export const network_bench: Bench = {
  name: 'network',
  title: 'The network: sending at 64 connections, SQLite',
  method:
    'Each server is a process of its own; the load comes from this one. Messages of 200 characters go to contacts and are answered after the fsync of their transaction; each signed one has its own nonce and signature, by the key on its sender’s card, made before the round. The bare server parses and answers the same JSON and does nothing else. Medians of three rounds in turn.',
  run,
};
