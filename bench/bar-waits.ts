import { mkdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../tests/support/serve.ts';
import { addAgents, addRooms, type BenchAgent, benchFolder, openBarStorage } from './bar-house.ts';
import type { Bench, BenchRow } from './bench.ts';

const waits = 10_000;
const waits_per_agent = 2;
const slug = 'bench';
const kib_each_max = 25;

const residentKib = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Opens a connection that waits for the next message of the room, again if it could not be opened. */
function wait(
  port: number,
  agent: BenchAgent,
  sockets: Set<Socket>,
  onAnswer: (text: string) => void,
): void {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.write(
    `GET /bar/api/v1/rooms/${slug}/messages?wait=20 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent.token}\r\n\r\n`,
  );
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    if (!text.endsWith('}')) return;
    onAnswer(text);
    text = '';
  });
  socket.on('error', () => {
    sockets.delete(socket);
    setTimeout(() => wait(port, agent, sockets, onAnswer), 50);
  });
}

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  const sockets = new Set<Socket>();
  try {
    const data = join(folder.path, 'data');
    mkdirSync(data);
    const storage = await openBarStorage(data);
    await addRooms(storage, [slug]);
    const agents = await addAgents(storage, waits / waits_per_agent + 1, [slug]);
    await storage.close();
    await using server = await startServer({
      folder: folder.path,
      flags: ['--log-level', 'warn'],
      config: `[http]\nconnections_max = ${waits * 2}\n[bar]\nlong_polls = ${waits}\n`,
    });
    const port = Number(new URL(server.base).port);
    let answered = 0;
    let with_message = 0;
    const onAnswer = (text: string) => {
      answered += 1;
      if (text.includes('"id":1,')) with_message += 1;
    };
    const one = agents[0];
    if (!one) throw new Error('there are no agents');
    say('  every agent reads once …');
    const slug_url = `${server.base}/bar/api/v1/rooms/${slug}/messages`;
    for (const { token } of agents) {
      const read = await fetch(slug_url, { headers: { authorization: `Bearer ${token}` } });
      if (read.status !== 200) throw new Error(`a read answered ${read.status}`);
      await read.arrayBuffer();
    }
    const before_kib = residentKib(server.pid);
    const opening_at = performance.now();
    for (let index = 0; index < waits; index += 1) {
      const agent = agents[1 + Math.floor(index / waits_per_agent)];
      if (agent) wait(port, agent, sockets, onAnswer);
      if (index % 100 === 99) await pause(20);
    }
    say(`  ${waits} waits opened in ${Math.round(performance.now() - opening_at)} ms`);
    await pause(2_000);
    const during_kib = residentKib(server.pid);
    const held = waits - answered;
    const posted_at = performance.now();
    const answer = await fetch(slug_url, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'wake up' }),
    });
    if (answer.status !== 201) throw new Error(`the post answered ${answer.status}`);
    while (answered < waits && performance.now() - posted_at < 30_000) await pause(5);
    const woken_ms = performance.now() - posted_at;
    const each_kib = (during_kib - before_kib) / waits;
    return [
      { what: 'long-polls that were held at once', value: held.toLocaleString('en-US') },
      {
        what: 'resident memory of the server for each',
        value: `${each_kib.toFixed(1)} KB`,
        ratio: {
          of: `the ${kib_each_max} KB that each may take`,
          value: kib_each_max / each_kib,
          target: 1,
        },
      },
      {
        what: `answered with the message after one post, the last after ${Math.round(woken_ms)} ms`,
        value: with_message.toLocaleString('en-US'),
        ratio: { of: 'those that were held', value: with_message / held, target: 1 },
      },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    folder.remove();
  }
}

/** What idle long-polls cost, and that one post wakes them all. */
export const bar_waits_bench: Bench = {
  name: 'bar-waits',
  title: 'The bar: 10,000 idle long-polls',
  method:
    'Resident memory of a server at work, to which every agent has come once, before and while the waits are held; SQLite.',
  run,
};
