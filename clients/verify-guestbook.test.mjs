import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import ledger from '../protocol/guestbook/vectors/ledger.json' with { type: 'json' };

/**
 * @typedef {{ [name: string]: unknown, seq: number, prevHash: string, entryHash: string }} Entry
 * @typedef {{ seq: number, hash: string, updatedUtc: string | null }} Head
 * @typedef {{ head: Head, entries: Entry[] }} GuestRecord
 * @typedef {{ code: number, out: string, last_out: string, last_err: string }} Outcome
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Answer
 */

const verifier = fileURLToPath(new URL('verify-guestbook.mjs', import.meta.url));
const genesis_hash = '0'.repeat(64);

/** @type {GuestRecord} */
const chain = { head: headAt(4), entries: ledger.chain.entries };
/** @type {GuestRecord} */
const hidden_chain = { head: ledger.hidden.head, entries: ledger.hidden.entries };
/** @type {GuestRecord} */
const empty_book = { head: headAt(0), entries: [] };

const folder = await mkdtemp(join(tmpdir(), 'verify-guestbook-'));
after(() => rm(folder, { recursive: true }));
let files_named = 0;

/** A path in this run's own folder that nothing else uses. */
function newPath() {
  files_named += 1;
  return join(folder, `${files_named}.json`);
}

/** @param {number} seq */
function headAt(seq) {
  const head = ledger.chain.heads[seq];
  assert.ok(head);
  return head;
}

/** @param {GuestRecord} record */
async function saved(record) {
  const path = newPath();
  await writeFile(path, JSON.stringify(record));
  return path;
}

/**
 * Runs the verifier as its users do.
 *
 * @param {string[]} options
 * @returns {Promise<Outcome>}
 */
async function verify(...options) {
  const child = spawn(process.execPath, [verifier, ...options]);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  const lastLine = (/** @type {string} */ text) => text.trimEnd().split('\n').at(-1) ?? '';
  return { code, out, last_out: lastLine(out), last_err: lastLine(err) };
}

/**
 * Serves until the test ends.
 *
 * @param {import('node:test').TestContext} context
 * @param {(request: Request, answer: Answer) => void} handle
 * @returns {Promise<string>} the base URL
 */
async function serve(context, handle) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `http://127.0.0.1:${address.port}/guestbook`;
}

/**
 * Answers as the protocol has it, from a record that may change between requests.
 *
 * @param {{ record: GuestRecord, entries_max?: number }} shown
 * @returns {(request: Request, answer: Answer) => void}
 */
function guestbook(shown) {
  return (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const after = Number(searchParams.get('after'));
    const limit = Math.min(Number(searchParams.get('limit')), shown.entries_max ?? 500);
    const { head, entries } = shown.record;
    if (pathname === '/guestbook/api/guestbook/head') return answer.end(JSON.stringify(head));
    if (pathname !== '/guestbook/api/guestbook/entries') return answer.writeHead(404).end();
    const page = entries.filter(({ seq }) => seq > after).slice(0, limit);
    return answer.end(JSON.stringify({ entries: page }));
  };
}

/** @param {string | Buffer} data */
function sha256Hex(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** An agent of this test's own: DER wants the seed behind a fixed prefix (RFC 8410 section 7). */
const agent = (() => {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, Buffer.alloc(32, 5)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  const public_bytes = Buffer.from(x ?? '', 'base64url');
  const [publicKey, id] = [public_bytes.toString('base64'), sha256Hex(public_bytes)];
  return { key, publicKey, id };
})();

/**
 * A record of signed entries, one a day; every seventh is hidden.
 *
 * @param {number} count
 * @param {(seq: number) => string} [messageAt]
 * @returns {GuestRecord}
 */
function makeRecord(count, messageAt = (seq) => `Zeile ${seq}: "gut" \\ é 🌍`) {
  /** @type {Entry[]} */
  const entries = [];
  let prevHash = genesis_hash;
  let postedUtc = null;
  for (let seq = 1; seq <= count; seq += 1) {
    postedUtc = new Date(Date.UTC(2026, 0, seq, 12)).toISOString();
    const [date, message] = [postedUtc.slice(0, 10), messageAt(seq)];
    const payload = JSON.stringify({ action: 'post', agent: agent.id, date, message, v: 1 });
    const sig = sign(null, Buffer.from(payload), agent.key).toString('base64');
    const { publicKey, id } = agent;
    const hashed = { agent: id, date, message, name: 'Tester', postedUtc, prevHash, publicKey };
    const entry = { ...hashed, seq, sig, v: 1 };
    const entryHash = sha256Hex(JSON.stringify(entry));
    const hidden = { seq, prevHash, entryHash, hidden: true };
    entries.push(seq % 7 === 0 ? hidden : { ...entry, entryHash });
    prevHash = entryHash;
  }
  return { head: { seq: count, hash: prevHash, updatedUtc: postedUtc }, entries };
}

/**
 * Four runs at a time.
 *
 * @template Case
 * @param {readonly Case[]} cases
 * @param {(one: Case) => Promise<void>} run
 */
async function forEach(cases, run) {
  assert.notEqual(cases.length, 0);
  const rest = cases.values();
  const work = async () => {
    for (const one of rest) await run(one);
  };
  await Promise.all([work(), work(), work(), work()]);
}

const ok_of_chain = `ok: 4 entries (0 hidden), head 4 ${chain.head.hash}`;

test('verify-guestbook verifies a served record, empty, hidden or long [BOOK-095] [BOOK-120]', async (t) => {
  const long_record = makeRecord(1203);
  const { entries } = hidden_chain;
  const [first, , , last] = chain.entries;
  assert.ok(first && last);
  const hide = (/** @type {Entry} */ { seq, prevHash, entryHash }) => {
    return { seq, prevHash, entryHash, hidden: true };
  };
  const ends_hidden = [hide(first), ...entries.slice(1, 3), hide(last)];
  const cases = [
    { record: chain, line: ok_of_chain },
    { record: hidden_chain, line: ok_of_chain.replace('(0', '(1') },
    { record: { ...chain, entries: ends_hidden }, line: ok_of_chain.replace('(0', '(3') },
    { record: empty_book, line: `ok: 0 entries (0 hidden), head 0 ${genesis_hash}` },
    {
      record: long_record,
      line: `ok: 1203 entries (171 hidden), head 1203 ${long_record.head.hash}`,
    },
    { record: chain, entries_max: 1, line: ok_of_chain },
  ];
  await forEach(cases, async ({ line, ...shown }) => {
    const base_url = await serve(t, guestbook(shown));
    for (const spelling of [base_url, `${base_url}/`]) {
      const { code, out, last_out, last_err } = await verify(spelling);
      assert.deepEqual({ code, last_out, last_err }, { code: 0, last_out: line, last_err: '' });
      assert.match(out, /^checked: seq and prevHash of \d+ entries; entryHash, sig and agent of/);
    }
  });
});

test('verify-guestbook names seq and check of each tampered record, served or saved [BOOK-096] [BOOK-097]', async (t) => {
  await forEach(ledger.tampered.cases, async ({ id, head, entries, fails }) => {
    const base_url = await serve(t, guestbook({ record: { head, entries } }));
    for (const options of [[base_url], ['--file', await saved({ head, entries })]]) {
      const { code, out, last_err } = await verify(...options);
      assert.deepEqual({ code, out }, { code: 1, out: '' }, id);
      assert.ok(
        last_err.startsWith(`bad: seq ${fails.seq}: ${fails.check} - `),
        `${id} ${last_err}`,
      );
      assert.match(last_err, / - [A-Z].*\.$/, id);
    }
  });
});

test('verify-guestbook refuses forged lines under the small-order and malformed keys of the vectors [BOOK-096]', async () => {
  const forgeries = ledger.refused.registrations.filter(
    ({ id }) => id.startsWith('K-') && id !== 'K-BURNED',
  );
  const [first] = ledger.chain.entries;
  assert.ok(first);
  await forEach(forgeries, async ({ id, body }) => {
    const publicKey = String(body?.publicKey);
    const { entryHash: _, ...rest } = first;
    const forged = { ...rest, publicKey, agent: sha256Hex(Buffer.from(publicKey, 'base64')) };
    const entryHash = sha256Hex(JSON.stringify(forged));
    const head = { seq: 1, hash: entryHash, updatedUtc: forged.postedUtc };
    const { code, last_err } = await verify(
      '--file',
      await saved({ head, entries: [{ ...forged, entryHash }] }),
    );
    assert.equal(code, 1, id);
    assert.match(last_err, /^bad: seq 1: sig - The publicKey is /, id);
  });
});

test('verify-guestbook refuses links and heads that are no hashes, and lone surrogates [BOOK-096]', async () => {
  const bogus = { seq: 1, prevHash: genesis_hash, entryHash: 'bogus', hidden: true };
  const follower = { seq: 2, prevHash: 'bogus', entryHash: genesis_hash, hidden: true };
  const surrogate = makeRecord(1, () => 'a\ud800');
  const cases = [
    { entries: [bogus], head: { ...chain.head, seq: 1, hash: 'bogus' }, says: 'seq 1: entryHash' },
    { entries: [bogus, follower], head: chain.head, says: 'seq 1: entryHash' },
    {
      entries: [bogus],
      head: { ...chain.head, seq: 0, hash: genesis_hash },
      says: 'seq 1: entryHash',
    },
    { ...surrogate, says: 'seq 1: entryHash' },
  ];
  await forEach(cases, async ({ says, ...record }) => {
    const { code, last_err } = await verify('--file', await saved(record));
    assert.equal(code, 1);
    assert.ok(last_err.startsWith(`bad: ${says} - `), last_err);
  });
});

test('verify-guestbook saves what it read, and verifies that without a network [BOOK-097]', async (t) => {
  await forEach([chain, hidden_chain, empty_book, makeRecord(501)], async (record) => {
    const base_url = await serve(t, guestbook({ record }));
    const path = newPath();
    const online = await verify('--save', path, base_url);
    assert.equal(online.code, 0);
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), record);
    const offline = await verify('--file', path);
    assert.deepEqual(offline, online);
  });
});

test('verify-guestbook saves a bad record as well, for others to see [BOOK-097]', async (t) => {
  const [tampered] = ledger.tampered.cases;
  assert.ok(tampered);
  const base_url = await serve(t, guestbook({ record: tampered }));
  const path = newPath();
  const online = await verify('--save', path, base_url);
  const offline = await verify('--file', path);
  assert.equal(online.code, 1);
  assert.deepEqual(offline, online);
});

test('verify-guestbook saves nothing when the record breaks off [BOOK-098]', async (t) => {
  const record = makeRecord(600);
  const base_url = await serve(t, (request, answer) => {
    if (request.url?.includes('after=500')) answer.destroy();
    else guestbook({ record })(request, answer);
  });
  const path = newPath();
  const files_before = (await readdir(folder)).length;
  const { code, last_err } = await verify('--save', path, '--remember', newPath(), base_url);
  assert.equal(code, 3);
  assert.match(last_err, /^error: no answer from /);
  assert.equal((await readdir(folder)).length, files_before);
});

test('verify-guestbook lets entries stand beyond the head, verified [BOOK-089] [BOOK-095]', async () => {
  const head = headAt(2);
  const { code, last_out } = await verify('--file', await saved({ head, entries: chain.entries }));
  assert.deepEqual([code, last_out], [0, `ok: 4 entries (0 hidden), head 2 ${head.hash}`]);
  const [, , , last] = chain.entries;
  assert.ok(last);
  const entries = [...chain.entries.slice(0, 3), { ...last, name: 'Another' }];
  const spoilt = await verify('--file', await saved({ head, entries }));
  assert.match(spoilt.last_err, /^bad: seq 4: entryHash - /);
});

test('verify-guestbook remembers a head and holds later records to it [BOOK-095] [BOOK-096]', async () => {
  const memory = newPath();
  const remembering = async (/** @type {GuestRecord} */ record) =>
    verify('--remember', memory, '--file', await saved(record));
  const remembered = async () => JSON.parse(await readFile(memory, 'utf8'));
  const shorter = { head: headAt(3), entries: chain.entries.slice(0, 3) };
  const rewritten = ledger.tampered.cases.find(({ id }) => id === 'T-REWRITTEN');
  assert.ok(rewritten);
  const last = rewritten.entries.at(-1);
  const head = { ...rewritten.head, hash: last?.entryHash ?? '' };

  assert.equal((await remembering(empty_book)).code, 0);
  assert.deepEqual(await remembered(), { seq: 0, hash: genesis_hash });
  assert.equal((await remembering(shorter)).code, 0);
  assert.deepEqual(await remembered(), { seq: 3, hash: headAt(3).hash });
  const grown = await remembering(chain);
  assert.deepEqual([grown.code, grown.last_out], [0, ok_of_chain]);
  assert.match(grown.out, /; history\n/);

  const after_shortening = await remembering(shorter);
  assert.equal(after_shortening.code, 1);
  assert.match(after_shortening.last_err, /^bad: seq 4: history - .*longer.*3\.$/);
  const after_rewriting = await remembering({ head, entries: rewritten.entries });
  assert.equal(after_rewriting.code, 1);
  assert.match(after_rewriting.last_err, /^bad: seq 4: history - .*another hash/);
  assert.equal((await remembering({ ...chain, entries: [] })).code, 1);
  assert.deepEqual(await remembered(), { seq: 4, hash: headAt(4).hash });
  assert.equal((await remembering(hidden_chain)).code, 0);
});

test('verify-guestbook does not take a spoilt memory for none [BOOK-098]', async () => {
  const path = await saved(chain);
  await forEach(['', '{}', '{"seq":"4","hash":""}', '{"seq":4}', '[]'], async (text) => {
    const memory = newPath();
    await writeFile(memory, text);
    const { code, last_err } = await verify('--remember', memory, '--file', path);
    assert.equal(code, 3);
    assert.match(last_err, /^error: /);
    assert.equal(await readFile(memory, 'utf8'), text);
  });
});

test('verify-guestbook exits 2 on a wrong command line [BOOK-098]', async () => {
  const url = 'http://127.0.0.1:8080';
  const path = await saved(chain);
  const wrong = [
    ...[[], [url, url], ['--file'], ['--save'], ['--unknown', url], ['-x'], ['--file', '']],
    ...[
      ['--file', path, url],
      ['--file', path, '--save', newPath()],
      ['--save', newPath()],
    ],
    ...[['127.0.0.1:8080'], ['file:///etc'], [`${url}?x=1`], ['http://a:b@127.0.0.1'], ['']],
  ];
  await forEach(wrong, async (options) => {
    const { code, out, last_err } = await verify(...options);
    assert.deepEqual({ code, out }, { code: 2, out: '' }, options.join(' '));
    assert.match(last_err, /^usage: node verify-guestbook\.mjs /);
  });
});

test('verify-guestbook --help explains every option and exit code [BOOK-098]', async () => {
  const { code, out, last_err } = await verify('--help');
  assert.deepEqual([code, last_err], [0, '']);
  for (const word of ['--save', '--file', '--remember', 'exit 0', 'exit 1', 'exit 2', 'exit 3']) {
    assert.ok(out.includes(word), word);
  }
});

test('verify-guestbook exits 3 when a server cannot be read [BOOK-098]', async (t) => {
  const honest = guestbook({ record: chain });
  const isHead = (/** @type {Request} */ request) => request.url?.endsWith('/head') ?? false;
  /** @type {{ [what: string]: (request: Request, answer: Answer) => void }} */
  const servers = {
    'status 500': (_, answer) => void answer.writeHead(500).end('{}'),
    'status 404 with a long body': (_, answer) => void answer.writeHead(404).write('x'.repeat(1e6)),
    'no JSON': (_, answer) => void answer.end('<html>'),
    'no object': (_, answer) => void answer.end('[]'),
    'no UTF-8': (_, answer) => void answer.end(Buffer.from('{"seq":0,"hash":"\xff"}', 'latin1')),
    'a byte order mark': (_, answer) => void answer.end(`\ufeff${JSON.stringify(empty_book.head)}`),
    'deep nesting': (_, answer) => void answer.end('['.repeat(1e6)),
    'a broken connection': (_, answer) => void answer.destroy(),
    'a body cut short': (_, answer) =>
      void answer.writeHead(200, { 'content-length': '100' }).write('{', () => answer.destroy()),
    'an endless body': (_, answer) => {
      const pump = () => {
        while (answer.write(' '.repeat(65_536)));
        answer.once('drain', pump);
      };
      pump();
    },
    'no entries': (request, answer) =>
      isHead(request) ? honest(request, answer) : void answer.end('{}'),
    'an entry that is none': (request, answer) =>
      isHead(request) ? honest(request, answer) : void answer.end('{"entries":[1]}'),
    'status 503 for entries': (request, answer) =>
      isHead(request) ? honest(request, answer) : void answer.writeHead(503).end(),
  };
  /** @type {{ [what: string]: RegExp }} */
  const said = {
    'status 500': /^error: http.*\/head answered with status 500$/,
    'status 404 with a long body': /^error: http.*\/head answered with status 404$/,
    'no object': /^error: the answer of http.* is no object$/,
    'a broken connection': /^error: no answer from http.*: \S/,
    'a body cut short': /^error: no answer from http.*: \S/,
    'an endless body': /^error: http.* answered with more than 16000000 bytes$/,
    'no entries': /^error: the answer of http.* holds no list of entries$/,
    'an entry that is none': /^error: item 1 in the answer of http.* is no object$/,
    'status 503 for entries': /^error: http.*limit=500 answered with status 503$/,
  };
  await forEach(Object.entries(servers), async ([what, handle]) => {
    const { code, out, last_err } = await verify(await serve(t, handle));
    assert.deepEqual({ code, out }, { code: 3, out: '' }, what);
    assert.match(last_err, said[what] ?? /^error: the answer of http.* is no JSON in UTF-8$/, what);
  });
});

test('verify-guestbook exits 3 when nobody answers or no file is there [BOOK-098]', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  server.close();
  await once(server, 'close');
  const base_url = await serve(t, guestbook({ record: chain }));
  const nowhere = join(folder, 'nowhere', 'file.json');
  const runs = [
    [`http://127.0.0.1:${address.port}`],
    ['--file', nowhere],
    ['--save', nowhere, base_url],
    ['--remember', nowhere, base_url],
    ['--file', folder],
  ];
  await forEach(runs, async (options) => {
    const { code, last_err } = await verify(...options);
    assert.equal(code, 3);
    assert.match(last_err, /^error: \S/);
  });
});

test('verify-guestbook sees a server whose pages repeat or never end [BOOK-098]', async (t) => {
  const record = makeRecord(700);
  const repeating = await verify(
    await serve(t, (request, answer) => {
      request.url = request.url?.replace('after=500', 'after=0') ?? '';
      guestbook({ record })(request, answer);
    }),
  );
  assert.equal(repeating.code, 3);
  assert.match(repeating.last_err, /starts again with entry 1$/);

  const endless = await verify(
    await serve(t, (request, answer) => {
      const after = Number(/after=(\d+)/.exec(request.url ?? '')?.[1]);
      const hashAt = (/** @type {number} */ seq) =>
        seq === 0 ? genesis_hash : sha256Hex(`${seq}`);
      const entries = Array.from({ length: 500 }, (_, at) => {
        const seq = after + at + 1;
        return { seq, prevHash: hashAt(seq - 1), entryHash: hashAt(seq), hidden: true };
      });
      const head = { seq: 1, hash: hashAt(1), updatedUtc: '' };
      answer.end(JSON.stringify(request.url?.endsWith('head') ? head : { entries }));
    }),
  );
  assert.equal(endless.code, 3);
  assert.match(endless.last_err, /without end/);

  const stalled = await verify(
    await serve(t, guestbook({ record: { ...record, entries: record.entries.slice(0, 500) } })),
  );
  assert.equal(stalled.code, 1);
  assert.match(stalled.last_err, /^bad: seq 700: head - /);
});

test('verify-guestbook exits 3 for a member missing, of another type, or too many [BOOK-098]', async () => {
  const [first] = chain.entries;
  const [, hidden] = hidden_chain.entries;
  assert.ok(first && hidden);
  /** @type {unknown[]} */
  const records = [null, [], {}, { head: chain.head }, { entries: chain.entries }];
  for (const name of Object.keys(chain.head)) {
    const { [name]: _, ...head } = /** @type {{ [name: string]: unknown }} */ (chain.head);
    records.push({ ...chain, head }, { ...chain, head: { ...head, [name]: false } });
  }
  for (const entry of [first, hidden]) {
    for (const name of Object.keys(entry)) {
      const { [name]: _, ...rest } = /** @type {{ [name: string]: unknown }} */ (entry);
      records.push(
        { ...chain, entries: [rest] },
        { ...chain, entries: [{ ...rest, [name]: null }] },
      );
    }
    records.push({ ...chain, entries: [{ ...entry, note: 'unsigned' }] });
  }
  records.push({ ...chain, entries: [{ ...first, hidden: true }] });
  await forEach(records, async (record) => {
    const path = newPath();
    await writeFile(path, JSON.stringify(record));
    const { code, last_err } = await verify('--file', path);
    assert.equal(code, 3, JSON.stringify(record).slice(0, 200));
    assert.match(last_err, /^error: \S/);
  });
});

test('verify-guestbook sees a change in any member of any entry, and names the entry [BOOK-096]', async () => {
  const places = chain.entries.flatMap((entry, at) =>
    Object.keys(entry).map((name) => ({ at, name })),
  );
  assert.equal(places.length, 44);
  await forEach(places, async ({ at, name }) => {
    const entries = structuredClone(chain.entries);
    const entry = entries[at];
    assert.ok(entry);
    const value = entry[name];
    const flipped = String(value).replace(/.$/u, (last) => (last === '0' ? '1' : '0'));
    entry[name] = typeof value === 'number' ? value + 1 : flipped;
    const { code, last_err } = await verify('--file', await saved({ ...chain, entries }));
    const check = name === 'seq' ? 'seq' : 'entryHash';
    assert.equal(code, 1);
    assert.ok(last_err.startsWith(`bad: seq ${entry.seq}: ${check} - `), `${name}: ${last_err}`);
  });
});

test('verify-guestbook lets no flipped byte of a saved record pass [BOOK-096] [BOOK-097]', async () => {
  const record = makeRecord(42);
  const bytes = Buffer.from(JSON.stringify(record));
  const flip = fc.record({ at: fc.nat(bytes.length - 1), mask: fc.integer({ min: 1, max: 255 }) });
  await forEach(fc.sample(flip, 150), async ({ at, mask }) => {
    const spoilt = Buffer.from(bytes);
    spoilt[at] = (spoilt[at] ?? 0) ^ mask;
    const path = newPath();
    await writeFile(path, spoilt);
    const { code, last_err } = await verify('--file', path);
    const expected = outcomesAllowed(record, spoilt);
    const what = `byte ${at} ^ ${mask}: exit ${code} ${last_err}`;
    assert.equal(code, expected.code, what);
    if (code === 1) {
      const named = Number(/^bad: seq (\S+): \w+ - /.exec(last_err)?.[1]);
      assert.ok(expected.seqs.includes(named), what);
    }
  });
});

/**
 * What the verifier may say to a record of which one byte was changed: told by comparing, which
 * the verifier cannot.
 *
 * @param {GuestRecord} record
 * @param {Buffer} spoilt
 * @returns {{ code: number, seqs: number[] }}
 */
function outcomesAllowed(record, spoilt) {
  const shapeOf = (/** @type {unknown} */ value) =>
    JSON.stringify(value, (_, member) => (typeof member === 'object' ? member : typeof member));
  /** @type {GuestRecord} */
  let read;
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(spoilt));
  } catch {
    return { code: 3, seqs: [] };
  }
  if (shapeOf(read) !== shapeOf(record)) return { code: 3, seqs: [] };
  const seqs = [];
  if (read.head.seq !== record.head.seq || read.head.hash !== record.head.hash) {
    seqs.push(read.head.seq);
  }
  for (const [at, entry] of read.entries.entries()) {
    if (JSON.stringify(entry) === JSON.stringify(record.entries[at])) continue;
    // A hidden entry's hash is held by what follows: the next entry, or the head.
    seqs.push(entry.seq, ...('hidden' in entry ? [at + 2, record.head.seq] : []));
  }
  return { code: seqs.length > 0 ? 1 : 0, seqs };
}
