import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { decodeBase64, genesis_hash } from '@stoa/proof';
import { entryHash } from '@stoa/proof/guestbook';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import {
  RefusedError,
  UnexpectedAnswerError,
  UnreachableError,
  UnverifiedEntryError,
} from '../errors.ts';
import { type GuestbookClientOptions, guestbookClient } from './guestbook-client.ts';

type Handle = (request: IncomingMessage, body: string, answer: ServerResponse) => void;

const { A } = ledger.keys;
const seed = decodeBase64(A.seed, 32) ?? new Uint8Array();
const chain = { head: ledger.hidden.head, entries: ledger.chain.entries };

/** A client of a real server, which stops with the test. */
async function clientOf(context: TestContext, handle: Handle, options = {}) {
  const server = createServer(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    handle(request, body, answer);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // @NOTE listening on TCP, a server's address is never a string or null.
  const { port } = server.address() as AddressInfo;
  const base_url = `http://127.0.0.1:${port}/guestbook/`;
  const now = () => new Date('2026-09-07T23:59:59.999Z');
  return guestbookClient({ base_url, seed, now, ...options } satisfies GuestbookClientOptions);
}

/** Answers reads from a record, `entries_max` at a time. */
function showing(record: { head: object; entries: readonly { seq: number }[] }, entries_max = 500) {
  const paths: string[] = [];
  const handle: Handle = (request, _, answer) => {
    paths.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const after = Number(searchParams.get('after'));
    const limit = Math.min(Number(searchParams.get('limit')), entries_max);
    const page = record.entries.filter(({ seq }) => seq > after).slice(0, limit);
    const is_head = pathname === '/guestbook/api/guestbook/head';
    answer.end(JSON.stringify(is_head ? record.head : { entries: page }));
  };
  return { handle, paths };
}

function answering(status: number, body: unknown, headers = {}): Handle {
  return (_, __, answer) => {
    answer.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

function hidden({
  seq,
  prevHash,
  entryHash,
}: {
  seq: number;
  prevHash: string;
  entryHash: string;
}) {
  return { seq, prevHash, entryHash, hidden: true };
}

test('register sends what the vectors send [BOOK-134]', async (t) => {
  const registration = ledger.registrations.find(({ id }) => id === 'R-A');
  assert.ok(registration);
  const seen: unknown[] = [];
  const client = await clientOf(t, (request, body, answer) => {
    seen.push(request.method, request.url, JSON.parse(body));
    answering(201, registration.response.body)(request, body, answer);
  });
  const { name, signature } = registration;
  assert.deepEqual(await client.register(name), { agent: A.fingerprint, name });
  const body = { name, publicKey: A.publicKey, signature };
  assert.deepEqual(seen, ['POST', '/guestbook/api/guestbook/agents', body]);
});

test('post signs as the vectors do, for today unless told another day [BOOK-134]', async (t) => {
  const { date, message, signature } = ledger.posts[6] ?? { date: '', message: '', signature: '' };
  const [entry] = ledger.chain.entries;
  assert.ok(entry);
  const { seq, prevHash, entryHash: hash, postedUtc } = entry;
  const posted = { seq, prevHash, entryHash: hash, postedUtc };
  const bodies: unknown[] = [];
  const client = await clientOf(t, (request, body, answer) => {
    bodies.push(JSON.parse(body));
    answering(201, posted)(request, body, answer);
  });
  assert.equal(date, '2026-09-07');
  assert.deepEqual(await client.post(message), posted);
  assert.deepEqual(await client.post(message, date), posted);
  const body = { agent: A.fingerprint, date, message, signature };
  assert.deepEqual(bodies, [body, body]);
  // The entry stands on another day than this one is signed for.
  await assert.rejects(client.post(message, '2026-09-08'), UnexpectedAnswerError);
});

test('post and register refuse to sign a lone surrogate, or without a seed', async (t) => {
  const client = await clientOf(t, answering(500, ''));
  await assert.rejects(client.post('\ud800'), TypeError);
  await assert.rejects(client.register('\ud800'), TypeError);
  const reader = await clientOf(t, answering(500, ''), { seed: undefined });
  await assert.rejects(reader.post('a line'), TypeError);
  assert.throws(
    () => guestbookClient({ base_url: 'http://x', seed: new Uint8Array(31) }),
    RangeError,
  );
  assert.throws(() => guestbookClient({ base_url: 'nowhere' }), TypeError);
});

test('a refusal is a RefusedError with status, code, message and Retry-After', async (t) => {
  const refusal = (code: string) => ({ error: { code, message: `${code}!` } });
  const capped = await clientOf(t, answering(429, refusal('daily-cap'), { 'retry-after': '1234' }));
  await assert.rejects(capped.post('a line'), (error) => {
    assert.ok(error instanceof RefusedError);
    const { status, code, message, retry_after_s } = error;
    assert.deepEqual(
      [status, code, message, retry_after_s],
      [429, 'daily-cap', 'daily-cap!', 1234],
    );
    return true;
  });
  const refusing = await clientOf(t, answering(400, refusal('invalid-request')));
  for (const call of [
    () => refusing.register('abc'),
    () => refusing.post('a line'),
    () => refusing.entries({ limit: 501 }),
    () => refusing.head(),
    () => refusing.verify(),
  ]) {
    await assert.rejects(call, { name: 'RefusedError', status: 400, retry_after_s: undefined });
  }
});

test('entries verifies what it reads, and says so', async (t) => {
  const { handle, paths } = showing(chain);
  const client = await clientOf(t, handle);
  assert.deepEqual(await client.entries(), { entries: chain.entries, verified: true });
  const middle = await client.entries({ after: 1, limit: 2 });
  assert.deepEqual(middle, { entries: chain.entries.slice(1, 3), verified: true });
  assert.deepEqual(await client.entries({ after: 4 }), { entries: [], verified: true });
  const start = '/guestbook/api/guestbook/entries';
  assert.deepEqual(paths, [
    `${start}?after=0&limit=100`,
    `${start}?after=1&limit=2`,
    `${start}?after=4&limit=100`,
  ]);
});

test('entries throws at a tampered page, unless told not to look', async (t) => {
  const cases = ledger.tampered.cases.filter(({ fails }) => fails.check !== 'head');
  assert.notEqual(cases.length, 0);
  for (const { id, head, entries, fails } of cases) {
    const client = await clientOf(t, showing({ head, entries }).handle);
    await assert.rejects(client.entries(), { name: 'UnverifiedError', ...fails }, id);
    const unverified = await client.entries({ verify: false });
    assert.deepEqual(unverified, { entries, verified: false }, id);
  }
});

test('entries sees a page that does not start after the seq asked for', async (t) => {
  const client = await clientOf(t, answering(200, { entries: chain.entries.slice(2) }));
  await assert.rejects(client.entries({ after: 1 }), { seq: 3, check: 'seq' });
  assert.equal((await client.entries({ after: 2 })).verified, true);
});

test('head reads the server its claim', async (t) => {
  assert.notEqual(ledger.chain.heads.length, 0);
  for (const head of ledger.chain.heads) {
    const client = await clientOf(t, showing({ head, entries: [] }).handle);
    assert.deepEqual(await client.head(), head);
  }
});

test('verify holds a record, hidden or empty, in pages of any size', async (t) => {
  const { seq, hash } = chain.head;
  const place = { seq, hash };
  for (const entries_max of [1, 3, 500]) {
    const client = await clientOf(t, showing(chain, entries_max).handle);
    const verified = { entries: 4, hidden: 0, head: place, last: place };
    assert.deepEqual(await client.verify(), verified);
    assert.deepEqual(await client.verify({ seen: place }), verified);
  }
  const concealed = { ...chain, entries: chain.entries.map(hidden) };
  const { hidden: count } = await (await clientOf(t, showing(concealed).handle)).verify();
  assert.equal(count, 4);
  const empty = { head: { seq: 0, hash: genesis_hash, updatedUtc: null }, entries: [] };
  const { entries } = await (await clientOf(t, showing(empty).handle)).verify();
  assert.equal(entries, 0);
});

test('verify reads a long record in pages of 500', async (t) => {
  let prevHash = genesis_hash;
  const entries = Array.from({ length: 1001 }, (_, at) => {
    const [template] = ledger.chain.entries;
    assert.ok(template);
    const hash = entryHash({ ...template, seq: at + 1, prevHash });
    const entry = hidden({ seq: at + 1, prevHash, entryHash: hash });
    prevHash = hash;
    return entry;
  });
  const head = { seq: 1001, hash: prevHash, updatedUtc: '' };
  const { handle, paths } = showing({ head, entries });
  const verified = await (await clientOf(t, handle)).verify();
  assert.equal(verified.entries, 1001);
  const afters = paths.map((path) => /after=(\d+)&limit=500$/.exec(path)?.[1]);
  assert.deepEqual(afters, [undefined, '0', '500', '1000']);
});

test('verify names seq and check of each tampered record', async (t) => {
  assert.notEqual(ledger.tampered.cases.length, 0);
  for (const { id, head, entries, fails } of ledger.tampered.cases) {
    const client = await clientOf(t, showing({ head, entries }).handle);
    await assert.rejects(
      client.verify(),
      (error) => {
        assert.ok(error instanceof UnverifiedEntryError, id);
        assert.deepEqual({ seq: error.seq, check: error.check }, fails, id);
        return true;
      },
      id,
    );
  }
});

test('verify holds the record to a place seen before', async (t) => {
  const client = await clientOf(t, showing(chain).handle);
  const gone = { seq: 5, hash: chain.head.hash };
  await assert.rejects(client.verify({ seen: gone }), { seq: 5, check: 'history' });
  const other = { seq: 2, hash: genesis_hash };
  await assert.rejects(client.verify({ seen: other }), { seq: 2, check: 'history' });
});

test('walk gives each entry once it is verified, and none after a fault', async (t) => {
  const tampered = ledger.tampered.cases.find(({ id }) => id === 'T-TIME');
  assert.ok(tampered);
  const client = await clientOf(t, showing(tampered, 1).handle);
  const seqs: number[] = [];
  const walking = (async () => {
    for await (const entry of client.walk()) seqs.push(entry.seq);
  })();
  await assert.rejects(walking, { name: 'UnverifiedError', seq: 3 });
  assert.deepEqual(seqs, [1, 2]);
});

test('verify ends at a server that never does', async (t) => {
  const endless: Handle = (request, _, answer) => {
    const after = Number(/after=(\d+)/.exec(request.url ?? '')?.[1]);
    const hashAt = (seq: number) => seq.toString(16).padStart(64, '0');
    const entries = Array.from({ length: 500 }, (_entry, at) => {
      const seq = after + at + 1;
      return hidden({ seq, prevHash: hashAt(seq - 1), entryHash: hashAt(seq) });
    });
    const head = { seq: 1, hash: hashAt(1), updatedUtc: null };
    answer.end(JSON.stringify(request.url?.endsWith('/head') ? head : { entries }));
  };
  await assert.rejects((await clientOf(t, endless)).verify(), /without end/);
  const repeating = answering(200, { entries: chain.entries, ...chain.head, seq: 9 });
  await assert.rejects((await clientOf(t, repeating)).verify(), { seq: 1, check: 'seq' });
});

test('an answer of no known shape is an UnexpectedAnswerError', async (t) => {
  const answers: [status: number, body: unknown][] = [
    [200, 'no JSON'],
    [200, ''],
    [200, '[]'],
    [200, '{}'],
    [200, { entries: [{}], seq: 1 }],
    [204, ''],
    [404, '<html>'],
    [500, {}],
    [200, { error: { code: 'a', message: 'b' } }],
    [201, { agent: A.fingerprint, name: 'another', seq: 1 }],
  ];
  for (const [status, body] of answers) {
    const client = await clientOf(t, answering(status, body));
    const calls = [client.head(), client.entries(), client.verify(), client.register('abc')];
    for (const call of [...calls, client.post('a line')]) {
      await assert.rejects(call, UnexpectedAnswerError, `${status} ${JSON.stringify(body)}`);
    }
  }
});

test('an answer without end, in bytes or in time, is given up', async (t) => {
  const flood: Handle = (_, __, answer) => {
    const pump = () => {
      while (answer.write(' '.repeat(65_536)));
      answer.once('drain', pump);
    };
    pump();
  };
  await assert.rejects((await clientOf(t, flood)).head(), UnexpectedAnswerError);
  const silence: Handle = (_, __, answer) => void answer.write('{');
  const patient = await clientOf(t, silence, { timeout_ms: 50 });
  await assert.rejects(patient.head(), UnreachableError);
});

test('no whole answer is an UnreachableError that keeps its cause', async (t) => {
  const client = await clientOf(t, (_, __, answer) => void answer.destroy());
  await assert.rejects(client.head(), (error) => {
    assert.ok(error instanceof UnreachableError && error.cause instanceof Error);
    return true;
  });
});

test('guestbookClient sends through the fetch that it is given', async () => {
  const urls: string[] = [];
  const client = guestbookClient({
    base_url: 'https://stoa.example/guestbook',
    fetch: async (url) => {
      urls.push(url);
      return Response.json({ entries: [] });
    },
  });
  assert.deepEqual(await client.entries(), { entries: [], verified: true });
  assert.deepEqual(urls, [
    'https://stoa.example/guestbook/api/guestbook/entries?after=0&limit=100',
  ]);
});
