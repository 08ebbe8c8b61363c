import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import { encodeBase64, fingerprintOf } from '@stoa/proof';
import { postPayload, registrationPayload } from '@stoa/proof/guestbook';
import { startServer } from '../tests/support/serve.ts';
import { practice_flags, servedBook, trusting_config } from '../tests/support/served-book.ts';
import { benchFolder } from './bar-house.ts';
import { type Bench, type BenchRow, keepBusy, median, perSecond } from './bench.ts';
import { requestRate, startBare } from './load.ts';

const rounds = 3;
const seconds = 5;
const api = '/guestbook/api/guestbook';
/** A day of the book takes so many lines. */
const posts_per_day = 100;
const days_per_round = 15;
/** More than we can take in that time; the bare server takes some twice. */
const registrations_ready = 20_000;
const registration_seconds = 3;
const connections = 64;

type Signer = { name: string; public_key: string; fingerprint: string; private_key: KeyObject };

function makeSigner(index: number): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    name: `Bench ${index}`,
    public_key: encodeBase64(key),
    fingerprint: fingerprintOf(key),
    private_key: privateKey,
  };
}

const signed = (text: string, { private_key }: Signer) =>
  encodeBase64(sign(null, Buffer.from(text), private_key));

function registrationOf(signer: Signer): string {
  const { name, public_key } = signer;
  const signature = signed(registrationPayload({ name, public_key }), signer);
  return JSON.stringify({ name, publicKey: public_key, signature });
}

function lineOf(signer: Signer, date: string): string {
  const line = {
    agent: signer.fingerprint,
    date,
    message: `A line of 40 characters, by ${signer.name}`,
  };
  return JSON.stringify({ ...line, signature: signed(postPayload(line), signer) });
}

/** Sends POSTs on connections that stay open; rejects on an answer that is not 201. */
function openPoster(): { post(url: string, body: string): Promise<void>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    post: (url, body) =>
      new Promise((resolve, reject) => {
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
        const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
          answer.resume().on('end', () => {
            if (answer.statusCode === 201) resolve();
            else reject(new Error(`${url} answered ${answer.statusCode}`));
          });
        });
        sent.on('error', reject).end(body);
      }),
    close: () => agent.destroy(),
  };
}

const fetchText = async (url: string) => (await fetch(url)).text();

async function run(say: (line: string) => void): Promise<BenchRow[]> {
  const folder = benchFolder();
  const poster = openPoster();
  await using kept = new AsyncDisposableStack();
  kept.defer(() => folder.remove());
  kept.defer(() => poster.close());
  const server = kept.use(
    await startServer({ folder: folder.path, flags: practice_flags, config: trusting_config }),
  );
  const book = servedBook(server);
  let signers_made = 0;
  const newSigner = () => makeSigner(++signers_made);

  const authors = Array.from({ length: posts_per_day }, newSigner);
  for (const [index, author] of authors.entries()) {
    const headers = addressOf(0, index);
    const body = registrationOf(author);
    const answer = await fetch(`${server.base}${api}/agents`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(await answer.text());
  }
  /** Everybody's line for the next day; the clock stands there. */
  const nextDay = async () => {
    const date = await book.advance(1);
    return authors.map((author) => lineOf(author, date));
  };
  for (const body of await nextDay()) await poster.post(`${server.base}${api}/entries`, body);

  const paths = {
    'the head': `${api}/head`,
    '100 entries': `${api}/entries?limit=100`,
    'the front page': '/',
  } as const;
  const rates = new Map<string, number[]>();
  const note = (name: string, rate: number) => {
    rates.set(name, [...(rates.get(name) ?? []), rate]);
    say(`  ${name}: ${perSecond(rate)}`);
  };
  const bares = new Map<string, string>();
  for (const [what, path] of Object.entries(paths)) {
    const text = await fetchText(server.base + path);
    const read = path === '/' ? text : JSON.parse(text);
    const posted = { agent: authors[0]?.fingerprint, name: authors[0]?.name };
    const bare = kept.use(await startBare({ read, posted }));
    bares.set(what, bare.base);
  }
  const bare_base = bares.get('the head') ?? '';

  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round}/${rounds}`);
    for (const [what, path] of Object.entries(paths)) {
      const url = `${bares.get(what)}/read`;
      note(`bare: ${what}`, await requestRate({ url, seconds, status: 200 }));
      note(what, await requestRate({ url: server.base + path, seconds, status: 200 }));
    }
    const bodies = Array.from({ length: registrations_ready }, () => registrationOf(newSigner()));
    for (const to_bare of [true, false]) {
      let next = 0;
      const rate = await requestRate({
        url: to_bare ? `${bare_base}/post` : `${server.base}${api}/agents`,
        seconds: registration_seconds,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        status: 201,
        vary: () => {
          const index = next++;
          const body = bodies[index % bodies.length] ?? '';
          return { headers: addressOf(round, index), body };
        },
      });
      note(to_bare ? 'bare: registrations' : 'registrations', rate);
    }
    const elapsed = { bare: 0, ours: 0 };
    for (let day = 0; day < days_per_round; day += 1) {
      const lines = await nextDay();
      const burst = (url: string) =>
        keepBusy(posts_per_day, connections, (index) => poster.post(url, lines[index] ?? ''));
      elapsed.bare += (await burst(`${bare_base}/post`)).elapsed_ms;
      elapsed.ours += (await burst(`${server.base}${api}/entries`)).elapsed_ms;
    }
    const posts = days_per_round * posts_per_day;
    note('bare: signed lines', (posts / elapsed.bare) * 1_000);
    note('signed lines', (posts / elapsed.ours) * 1_000);
  }

  const rate = (name: string) => median(rates.get(name) ?? []);
  return ['the head', '100 entries', 'the front page', 'registrations', 'signed lines'].flatMap(
    (what): BenchRow[] => [
      { what: `bare Fastify: ${what}`, value: perSecond(rate(`bare: ${what}`)) },
      {
        what,
        value: perSecond(rate(what)),
        ratio: { of: 'bare Fastify', value: rate(what) / rate(`bare: ${what}`) },
      },
    ],
  );
}

/** Each five registrations of a round come from one address, as many as a day allows it. */
function addressOf(round: number, index: number): Record<string, string> {
  const address = Math.floor(index / 5);
  return { 'x-forwarded-for': `10.${round}.${address >> 8}.${address & 255}` };
}

/** The guestbook over HTTP. */
export const http_bench: Bench = {
  name: 'http',
  title: 'HTTP: the guestbook, 64 connections, SQLite',
  method: `The house and the bare Fastify server are processes of their own; the load comes from this one. The bare server parses and answers the same bytes and does nothing else; ours is asked with the log level \`warn\`. Registrations and lines are signed, verified and answered after the fsync of their transaction. A day of the book takes ${posts_per_day} lines, so lines are sent in bursts of ${posts_per_day}, to both alike, and the clock is moved between them; only the bursts are timed. The candidates take turns, the median of ${rounds} rounds counts.`,
  run,
};
