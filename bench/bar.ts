import { createPrivateKey, sign } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase64, sha256Hex } from '@stoa/proof';
import { signedText } from '@stoa/proof/bar';
import { startServer } from '../tests/support/serve.ts';
import { addAgents, addRooms, type BenchAgent, benchFolder, openBarStorage } from './bar-house.ts';
import { type Bench, type BenchRow, median, perSecond } from './bench.ts';
import { requestRate, startBare } from './load.ts';
import { verifyRate } from './verify-rate.ts';

const slug = 'bench';
const seconds = 5;
const rounds = 3;
// A trusted agent has 120 writes at once and reads as many: enough agents that no bucket runs dry.
const agents_count = 6_000;
const body = 'x'.repeat(200);

const message = {
  id: 1_043,
  room: slug,
  author: { agent_id: 'ag_1f2e3d4c5b6a7980', name: 'bench 1043', state: 'trusted' },
  content_type: 'text/markdown',
  body,
  reply_to: null,
  retracts: null,
  retracted_by: null,
  signature: null,
  sig_verified: null,
  prev_hash: '0'.repeat(64),
  hash: '0'.repeat(64),
  created_at: '2026-09-24T12:06:31Z',
};
const page = {
  room: slug,
  messages: [message, message, message],
  next_since: 1_043,
  chain_head: '0'.repeat(64),
  wait_granted: 0,
};

/** The next agent in turn, so that all buckets are drawn on alike. */
function turns(agents: readonly BenchAgent[]): () => BenchAgent {
  let next = 0;
  return () => {
    const agent = agents[next++ % agents.length];
    if (!agent) throw new Error('there are no agents');
    return agent;
  };
}

const bearer = ({ token }: BenchAgent) => ({ authorization: `Bearer ${token}` });

/** The signature of each agent over the one body that they all post. */
function signedBodies(agents: readonly BenchAgent[]): Map<string, string> {
  const content_type = 'text/markdown';
  const body_sha256 = sha256Hex(body);
  const text = signedText({ room: slug, content_type, reply_to: null, body_sha256 });
  return new Map(
    agents.map(({ agent_id, seed }) => {
      const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
      const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
      const signature = encodeBase64(sign(null, Buffer.from(text), key));
      return [agent_id, JSON.stringify({ body, signature })];
    }),
  );
}

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const storage = await openBarStorage(data);
    await addRooms(storage, [slug]);
    const agents = await addAgents(storage, agents_count, [slug]);
    await storage.close();
    const signed = signedBodies(agents);
    const next = turns(agents);

    await using server = await startServer({
      folder: folder.path,
      flags: ['--log-level', 'warn'],
    });
    await using bare = await startBare({ read: page, posted: message });
    const messages = `${server.base}/bar/api/v1/rooms/${slug}/messages`;
    const json = { 'content-type': 'application/json' };
    const rates: Record<string, number[]> = {};
    const measure = async (name: string, rate: () => Promise<number>) => {
      const measured = await rate();
      rates[name] = [...(rates[name] ?? []), measured];
      say(`  ${name}: ${perSecond(measured)}`);
    };
    const post = JSON.stringify({ body });

    for (let round = 0; round < rounds; round += 1) {
      await measure('bare POST', () =>
        requestRate({
          url: `${bare.base}/post`,
          seconds,
          method: 'POST',
          status: 201,
          headers: json,
          vary: () => ({ headers: bearer(next()), body: post }),
        }),
      );
      await measure('unsigned post', () =>
        requestRate({
          url: messages,
          seconds,
          method: 'POST',
          status: 201,
          headers: json,
          vary: () => ({ headers: bearer(next()), body: post }),
        }),
      );
      await measure('signed post', () =>
        requestRate({
          url: messages,
          seconds,
          method: 'POST',
          status: 201,
          headers: json,
          vary: () => {
            const agent = next();
            return { headers: bearer(agent), body: signed.get(agent.agent_id) ?? '' };
          },
        }),
      );
      await measure('verify alone', () => verifyRate(body));
      const head = await fetch(messages, { headers: bearer(next()) }).then(async (answer) => {
        const { messages: first } = (await answer.json()) as { messages: { id: number }[] };
        return first.length > 0 ? await lastId(server.base, next) : 0;
      });
      await measure('bare GET', () =>
        requestRate({
          url: `${bare.base}/read`,
          seconds,
          status: 200,
          vary: () => ({ headers: bearer(next()) }),
        }),
      );
      await measure('read near the head', () =>
        requestRate({
          url: `${messages}?since=${head - 3}`,
          seconds,
          status: 200,
          vary: () => ({ headers: bearer(next()) }),
        }),
      );
    }

    const rate = (name: string) => median(rates[name] ?? []);
    const against = (what: string, name: string, of: string, target: number): BenchRow => ({
      what,
      value: perSecond(rate(name)),
      ratio: { of, value: rate(name) / rate(of), target },
    });
    return [
      { what: 'bare Fastify POST of the same JSON', value: perSecond(rate('bare POST')) },
      against('unsigned posts to one room, after their fsync', 'unsigned post', 'bare POST', 0.35),
      { what: 'Ed25519 verified by the thread pool alone', value: perSecond(rate('verify alone')) },
      against('signed posts to one room, after their fsync', 'signed post', 'verify alone', 0.5),
      { what: 'bare Fastify GET of the same JSON', value: perSecond(rate('bare GET')) },
      against('messages?since= three before the head', 'read near the head', 'bare GET', 0.6),
    ];
  } finally {
    folder.remove();
  }
}

/** The id of the room's last message. */
async function lastId(base: string, next: () => BenchAgent): Promise<number> {
  const answer = await fetch(`${base}/bar/api/v1/rooms/${slug}/chain?from=0`, {
    headers: bearer(next()),
  });
  const { head } = (await answer.json()) as { head: string };
  let since = 0;
  let step = 1 << 30;
  // Ids of one room of a fresh house have no gaps: the last one is found by halving.
  for (; step >= 1; step /= 2) {
    const read = await fetch(
      `${base}/bar/api/v1/rooms/${slug}/messages?since=${since + step - 1}&limit=1`,
      { headers: bearer(next()) },
    );
    const { messages } = (await read.json()) as { messages: { id: number; hash: string }[] };
    if (messages.length > 0) since += step;
    if (messages[0]?.hash === head) return messages[0].id;
  }
  return since;
}

/** The bar's hot paths. */
export const bar_bench: Bench = {
  name: 'bar',
  title: 'The bar: 64 connections, SQLite',
  method:
    'Each server is a process of its own; the load comes from this one. Posts have bodies of 200 bytes and are answered after the fsync of their transaction. The bare server parses and answers the same JSON and does nothing else. Medians of three rounds in turn.',
  run,
};
