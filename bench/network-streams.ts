import { mkdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Server, startServer } from '../tests/support/serve.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, median } from './bench.ts';
import { type BenchAgent, makeContacts, makeNetwork, network_config } from './network-house.ts';

const streams = 5_000;
const streams_per_agent = 5;
const kib_each_max = 30;
const warm_up_streams = 1_000;
const sends = 60;
/** An event a second is spread over all streams. */
const send_every_ms = 1_000 / streams_per_agent;
/** Delivery takes at most so many times as long as the send itself. */
const latency_ratio_max = 2;

const residentKib = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

type Streams = {
  readonly sockets: Set<Socket>;
  ready: number;
  /** When each message came, by its id, on each stream that it came to. */
  readonly arrivals: Map<string, number[]>;
};

const newStreams = (): Streams => ({ sockets: new Set(), ready: 0, arrivals: new Map() });

/** Opens so many streams, those of one agent after each other, and waits until all have begun. */
async function openStreams(asked: {
  port: number;
  agents: readonly BenchAgent[];
  count: number;
  all: Streams;
}): Promise<void> {
  const { port, agents, count, all } = asked;
  const ends_at = performance.now() + 60_000;
  for (let index = 0; index < count; index += 1) {
    const agent = agents[Math.floor(index / streams_per_agent)];
    if (agent) openStream(port, agent, all);
    if (index % 100 === 99) await pause(20);
  }
  while (all.ready < count && performance.now() < ends_at) await pause(20);
}

/** Opens the event stream of an agent, again if it could not be opened. */
function openStream(port: number, agent: BenchAgent, all: Streams): void {
  const socket = connect(port, '127.0.0.1');
  all.sockets.add(socket);
  socket.write(
    `GET /net/v1/net/stream HTTP/1.1\r\nHost: x\r\nX-Inbox-Passcode: ${agent.passcode}\r\n\r\n`,
  );
  socket.on('data', (chunk) => {
    const at = performance.now();
    const text = chunk.toString('latin1');
    if (text.includes('event: ready')) all.ready += 1;
    const [, id] = /"id":"(msg_[A-Za-z0-9_-]{22})"/.exec(text) ?? [];
    if (id !== undefined) all.arrivals.set(id, [...(all.arrivals.get(id) ?? []), at]);
  });
  socket.on('error', () => {
    if (!all.sockets.delete(socket)) return;
    setTimeout(() => openStream(port, agent, all), 50);
  });
}

/** Sends one message after the other, a second's share of events each, and answers how long each took. */
async function sendAll(server: Server, agents: readonly BenchAgent[]) {
  const sent: { id: string; begun_at: number; answered_at: number }[] = [];
  for (let nth = 0; nth < sends; nth += 1) {
    const index = (nth * 17) % (agents.length - 1);
    const [from, to] = [agents[index], agents[index + 1]];
    const begun_at = performance.now();
    const answer = await fetch(`${server.base}/net/v1/net/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-inbox-passcode': from?.passcode ?? '' },
      body: JSON.stringify({ to: to?.handle, text: 'x'.repeat(200) }),
    });
    const { message } = (await answer.json()) as { message: { id: string } };
    sent.push({ id: message.id, begun_at, answered_at: performance.now() });
    await pause(send_every_ms);
  }
  return sent;
}

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  const all = newStreams();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const agents = await makeNetwork(data, streams / streams_per_agent);
    makeContacts(data, agents);
    await using server = await startServer({
      folder: folder.path,
      flags: ['--log-level', 'warn'],
      config: `${network_config}[http]\nconnections_max = ${streams * 2}\n`,
    });
    const port = Number(new URL(server.base).port);
    // What a process takes to itself with its first load is not the streams' own.
    const first = newStreams();
    await openStreams({ port, agents, count: warm_up_streams, all: first });
    for (const socket of first.sockets) socket.destroy();
    await pause(1_000);
    const before_kib = residentKib(server.pid);
    const opening_at = performance.now();
    await openStreams({ port, agents, count: streams, all });
    say(`  ${all.ready} streams opened in ${Math.round(performance.now() - opening_at)} ms`);
    const sent = await sendAll(server, agents);
    await pause(1_000);
    const each_kib = (residentKib(server.pid) - before_kib) / streams;
    const reached = sent.filter(({ id }) => all.arrivals.get(id)?.length === streams_per_agent);
    const send_ms = median(sent.map(({ begun_at, answered_at }) => answered_at - begun_at));
    const delivery_ms = median(
      sent.flatMap(({ id, begun_at }) => (all.arrivals.get(id) ?? []).map((at) => at - begun_at)),
    );
    return [
      { what: 'event streams that were open at once', value: all.ready.toLocaleString('en-US') },
      {
        what: 'resident memory of the server for each, with an event a second over all',
        value: `${each_kib.toFixed(1)} KB`,
        ratio: {
          of: `the ${kib_each_max} KB that each may take`,
          value: kib_each_max / each_kib,
          target: 1,
        },
      },
      {
        what: 'messages that came to all streams of their recipient',
        value: reached.length.toLocaleString('en-US'),
        ratio: { of: 'those that were sent', value: reached.length / sent.length, target: 1 },
      },
      {
        what: 'from the send to its event, median',
        value: `${delivery_ms.toFixed(2)} ms`,
        ratio: {
          of: `the send's own ${send_ms.toFixed(2)} ms`,
          value: send_ms / delivery_ms,
          target: 1 / latency_ratio_max,
        },
      },
    ];
  } finally {
    for (const socket of all.sockets) socket.destroy();
    folder.remove();
  }
}

/** What open event streams cost, and how soon what is sent comes over them. */
export const network_streams_bench: Bench = {
  name: 'network-streams',
  title: 'The network: 5,000 event streams',
  method:
    'Resident memory of the server process before and while the streams of 1,000 agents are open, SQLite; before means after a thousand that were opened and closed. Messages are sent one at a time; each comes to the five streams of its recipient, which are all in this process.',
  run,
};
