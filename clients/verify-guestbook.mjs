#!/usr/bin/env node
// Verifies the whole record of a guestbook: one file, no dependencies, Node 20 or newer.
// It trusts neither the server nor its software, so it shares no code with them: what the
// protocol's section "Verify" asks for is all here, to be read in one sitting.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

const usage =
  'usage: node verify-guestbook.mjs [--save FILE] [--remember FILE] <base-url>' +
  ' | node verify-guestbook.mjs [--remember FILE] --file FILE';

const help = `Verifies the whole record of a guestbook.

  node verify-guestbook.mjs <base-url>   reads the head, then every entry, and verifies them
  --save FILE                            also writes what was read, good or bad, for --file
  --file FILE                            verifies a saved record, without a network
  --remember FILE                        keeps the last entry's seq and hash in FILE, and fails when
                                         a later record no longer holds that hash at that seq
  --help                                 prints this

Of each entry, in this order: seq, entryHash, prevHash, sig, agent; at the end the head, and the
history if a head is remembered. Of a hidden entry only seq and prevHash can be checked.

The chain alone does not prove that everybody is shown the same record: an operator could hash all
of it anew. Use --remember, and compare heads with others.

exit 0  verified          last line, stdout: ok: <n> entries (<h> hidden), head <seq> <hash>
exit 1  record is wrong   last line, stderr: bad: seq <seq>: <check> - <sentence>
exit 2  command is wrong  last line, stderr: usage: …
exit 3  cannot be read    last line, stderr: error: …

${usage}
`;

const page_entries = 500;
const answer_ms_max = 60_000;
// 500 entries of the longest message, every character escaped, are under 3 MB.
const answer_bytes_max = 16_000_000;
// A guestbook takes 100 entries a day; more than this, while it is being read, is no guestbook.
const entries_beyond_head_max = 10_000;
const keys_kept_max = 10_000;
const genesis_hash = '0'.repeat(64);

/**
 * @typedef {{ seq: number, prevHash: string, entryHash: string }} Link
 * @typedef {Link & { agent: string, date: string, message: string, name: string,
 *   postedUtc: string, publicKey: string, sig: string, v: number }} VisibleEntry
 * @typedef {Link & { hidden: true }} HiddenEntry
 * @typedef {VisibleEntry | HiddenEntry} Entry
 * @typedef {{ seq: number, hash: string, updatedUtc: string | null }} Head
 * @typedef {{ head: Head, entries: AsyncIterable<Entry> | Iterable<Entry> }} Source
 * @typedef {{ seq: number, hash: string }} Place
 * @typedef {{ [name: string]: unknown }} Members
 */

/** An end of the run that is no success: the exit code, and the last line for stderr. */
class Failure extends Error {
  /**
   * @param {1 | 2 | 3} exit_code
   * @param {string} line
   */
  constructor(exit_code, line) {
    super(line);
    this.exit_code = exit_code;
  }
}

/** @param {string} why */
const unreadable = (why) => new Failure(3, `error: ${why}`);

/**
 * @param {number} seq
 * @param {string} check
 * @param {string} why
 */
const bad = (seq, check, why) => new Failure(1, `bad: seq ${seq}: ${check} - ${why}`);

// ---------------------------------------------------------------------------------------- the run

async function main() {
  const options = readCommandLine();
  if (options.help) {
    process.stdout.write(help);
    return;
  }
  const remembered = options.remember ? await readRemembered(options.remember) : undefined;
  const source =
    options.file === undefined ? await readServer(options.base_url) : await readSaved(options.file);
  const copy = options.save ? await startCopy(options.save, source) : undefined;
  const result = await verifyRecord(copy?.source ?? source, remembered).catch(async (failure) => {
    // A bad record is worth keeping; one that broke off while it was read is not.
    await copy?.end({ is_kept: failure instanceof Failure && failure.exit_code === 1 });
    throw failure;
  });
  await copy?.end({ is_kept: true });
  const { last, hidden, line } = result;
  if (options.remember) await writeWhole(options.remember, `${JSON.stringify(last)}\n`);
  process.stdout.write(
    `checked: seq and prevHash of ${last.seq} entries; ` +
      `entryHash, sig and agent of ${last.seq - hidden}; head${remembered ? '; history' : ''}\n` +
      `${line}\n`,
  );
}

function readCommandLine() {
  /** @param {string} why */
  const refuse = (why) => new Failure(2, `${why}\n${usage}`);
  let parsed;
  try {
    const string = /** @type {const} */ ({ type: 'string' });
    parsed = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean' }, save: string, file: string, remember: string },
    });
  } catch (error) {
    throw refuse(reasonOf(error));
  }
  const { values, positionals } = parsed;
  const { help = false, save, file, remember } = values;
  if (help) return { help, base_url: '' };
  if ([save, file, remember].includes('')) throw refuse('A file needs a name.');
  if (file !== undefined) {
    if (positionals.length > 0) throw refuse('Give a base URL or --file, not both.');
    if (save !== undefined) throw refuse('--save is for what a server answers.');
    return { help, base_url: '', file, remember };
  }
  const [base_url, ...others] = positionals;
  if (base_url === undefined || others.length > 0) throw refuse('Give one base URL.');
  if (!isBaseUrl(base_url)) throw refuse('The base URL is no plain http or https URL.');
  return { help, base_url: base_url.replace(/\/+$/, ''), save, remember };
}

/** @param {string} text */
function isBaseUrl(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && !(username || password || search || hash);
}

// ----------------------------------------------------------------------------------- verification

/**
 * Verifies a record to its end, or to the first thing found wrong.
 *
 * @param {Source} source
 * @param {Place | undefined} remembered
 */
async function verifyRecord({ head, entries }, remembered) {
  const progress = startProgress(head.seq);
  let last = { seq: 0, hash: genesis_hash };
  let hash_at_head = head.seq === 0 ? genesis_hash : undefined;
  let remembered_hash = remembered?.seq === 0 ? genesis_hash : undefined;
  let hidden = 0;
  try {
    for await (const entry of entries) {
      checkEntry(entry, last);
      last = { seq: entry.seq, hash: entry.entryHash };
      if (entry.seq === head.seq) hash_at_head = entry.entryHash;
      if (entry.seq === remembered?.seq) remembered_hash = entry.entryHash;
      if ('hidden' in entry) hidden += 1;
      progress.show(last.seq);
    }
  } finally {
    progress.end();
  }
  checkHead(head, { hash_at_head, last_seq: last.seq });
  if (remembered) checkHistory(remembered, { remembered_hash, last_seq: last.seq });
  const line = `ok: ${last.seq} entries (${hidden} hidden), head ${head.seq} ${head.hash}`;
  return { last, hidden, line };
}

/**
 * @param {Entry} entry
 * @param {Place} previous
 */
function checkEntry(entry, previous) {
  if (entry.seq !== previous.seq + 1) {
    throw bad(entry.seq, 'seq', `Entry ${previous.seq + 1} should stand here.`);
  }
  if ('hidden' in entry) {
    if (!isHash(entry.entryHash)) throw bad(entry.seq, 'entryHash', 'The entryHash is no hash.');
  } else checkHash(entry);
  if (entry.prevHash !== previous.hash || !isHash(entry.prevHash)) {
    const before = previous.seq === 0 ? '64 zeros' : `entry ${previous.seq}`;
    throw bad(entry.seq, 'prevHash', `The entry does not follow ${before}.`);
  }
  if (!('hidden' in entry)) checkAuthor(entry);
}

/** @param {VisibleEntry} entry */
function checkHash(entry) {
  const { agent, date, message, name, postedUtc, prevHash, publicKey, seq, sig, v } = entry;
  const hashed = { agent, date, message, name, postedUtc, prevHash, publicKey, seq, sig, v: 1 };
  if (v !== 1) throw bad(seq, 'entryHash', 'v is not 1.');
  // Languages differ in how they print a lone surrogate, hence in its hash.
  if (!Object.values(hashed).every((value) => String(value).isWellFormed())) {
    throw bad(seq, 'entryHash', 'The entry holds a lone surrogate.');
  }
  if (sha256Hex(JSON.stringify(hashed)) !== entry.entryHash) {
    throw bad(seq, 'entryHash', 'The entry does not hash to its entryHash.');
  }
}

/** @param {VisibleEntry} entry */
function checkAuthor({ seq, agent, date, message, publicKey, sig }) {
  const key = readKey(publicKey);
  if (typeof key === 'string') throw bad(seq, 'sig', key);
  const signature = decodeBase64(sig, 64);
  if (!signature) throw bad(seq, 'sig', 'The sig is not the canonical base64 of 64 bytes.');
  const payload = JSON.stringify({ action: 'post', agent, date, message, v: 1 });
  if (!verify(null, Buffer.from(payload), key.object, signature)) {
    throw bad(seq, 'sig', 'The sig does not verify under the publicKey.');
  }
  if (key.fingerprint !== agent) {
    throw bad(seq, 'agent', 'The agent is not the fingerprint of the publicKey.');
  }
}

/**
 * @param {Head} head
 * @param {{ hash_at_head: string | undefined, last_seq: number }} found
 */
function checkHead({ seq, hash }, { hash_at_head, last_seq }) {
  if (hash_at_head === undefined) {
    throw bad(seq, 'head', `The head is not in the record, which ends at ${last_seq}.`);
  }
  if (hash_at_head !== hash || !isHash(hash)) {
    throw bad(seq, 'head', "The head's hash is not that of its entry.");
  }
}

/**
 * @param {Place} remembered
 * @param {{ remembered_hash: string | undefined, last_seq: number }} found
 */
function checkHistory({ seq, hash }, { remembered_hash, last_seq }) {
  if (remembered_hash === undefined) {
    throw bad(seq, 'history', `The record was longer when last seen: it ends at ${last_seq}.`);
  }
  if (remembered_hash !== hash) {
    throw bad(seq, 'history', 'The record had another hash there when last seen.');
  }
}

// ------------------------------------------------------------------------------------------- keys

/** @typedef {{ object: import('node:crypto').KeyObject, fingerprint: string }} Key */

/** @type {Map<string, Key>} */
const keys = new Map();

/**
 * The key of a base64 text, or the complaint about it.
 *
 * @param {string} text
 * @returns {Key | string}
 */
function readKey(text) {
  const known = keys.get(text);
  if (known) return known;
  const bytes = decodeBase64(text, 32);
  if (!bytes) return 'The publicKey is not the canonical base64 of 32 bytes.';
  if (!isFitPoint(bytes)) return 'The publicKey is no canonical point of a large enough order.';
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  const object = createPublicKey({ format: 'jwk', key: jwk });
  const key = { object, fingerprint: sha256Hex(bytes) };
  if (keys.size >= keys_kept_max) keys.clear();
  keys.set(text, key);
  return key;
}

const p = 2n ** 255n - 19n;
// d = -121665/121666, RFC 8032 section 5.1.
const d = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
const y_of_order_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
// The eight points whose order divides 8 have these y. Under such a key many implementations, among
// them the OpenSSL of Node 20, accept a signature that anybody can make for any message.
const y_of_small_order = [0n, 1n, p - 1n, y_of_order_8, p - y_of_order_8];

/**
 * Whether 32 bytes are the canonical encoding of a point that is not of small order. A sign bit on
 * x = 0 needs no look of its own: x is 0 for y = 1 and y = -1 alone.
 *
 * @param {Buffer} bytes
 */
function isFitPoint(bytes) {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n);
  if (y >= p || y_of_small_order.includes(y)) return false;
  // x^2 = (y^2 - 1) / (d y^2 + 1) has a root exactly if the product of the two has one.
  const y_squared = (y * y) % p;
  return power(((y_squared - 1n) * (d * y_squared + 1n)) % p, (p - 1n) / 2n) === 1n;
}

/**
 * @param {bigint} base
 * @param {bigint} exponent
 */
function power(base, exponent) {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
}

/**
 * @param {string} text
 * @param {number} bytes_exact
 */
function decodeBase64(text, bytes_exact) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === bytes_exact && bytes.toString('base64') === text ? bytes : undefined;
}

/** @param {string | Buffer} data */
function sha256Hex(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** @param {string} text */
function isHash(text) {
  return /^[0-9a-f]{64}$/.test(text);
}

// ------------------------------------------------------------------------------------ the sources

/**
 * @param {string} path
 * @returns {Promise<Source>}
 */
async function readSaved(path) {
  const record = parseObject(parseJson(await readBytes(path), path), path);
  const head = parseHead(record.head, `the head in ${path}`);
  if (!Array.isArray(record.entries)) throw unreadable(`${path} holds no list of entries`);
  const entries = record.entries.map((entry, at) =>
    parseEntry(entry, `entry ${at + 1} in ${path}`),
  );
  return { head, entries };
}

/**
 * Reads the head at once, and the pages as the entries are asked for.
 *
 * @param {string} base_url
 * @returns {Promise<Source>}
 */
async function readServer(base_url) {
  const url = `${base_url}/api/guestbook/head`;
  const head = parseHead(await fetchJson(url), `the answer of ${url}`);
  return { head, entries: readPages(base_url, head.seq) };
}

/**
 * @param {string} base_url
 * @param {number} head_seq
 * @returns {AsyncGenerator<Entry>}
 */
async function* readPages(base_url, head_seq) {
  let after = 0;
  let is_more = true;
  while (is_more) {
    const url = `${base_url}/api/guestbook/entries?after=${after}&limit=${page_entries}`;
    const what = `the answer of ${url}`;
    const { entries } = parseObject(await fetchJson(url), what);
    if (!Array.isArray(entries)) throw unreadable(`${what} holds no list of entries`);
    for (const [at, item] of entries.entries()) {
      const entry = parseEntry(item, `item ${at + 1} in ${what}`);
      if (at === 0 && after > 0 && entry.seq <= after) {
        throw unreadable(`${what} starts again with entry ${entry.seq}`);
      }
      yield entry;
    }
    after += entries.length;
    if (after > head_seq + entries_beyond_head_max) {
      throw unreadable(`${base_url} answers entries without end beyond its head`);
    }
    // A short page is no end by itself: a server may give fewer than asked.
    is_more = entries.length > 0 && (after < head_seq || entries.length >= page_entries);
  }
}

/** @param {string} url */
async function fetchJson(url) {
  let bytes;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answer_ms_max) });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw unreadable(`${url} answered with status ${response.status}`);
    }
    bytes = await readBody(response, url);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadable(`no answer from ${url}: ${reasonOf(error)}`);
  }
  return parseJson(bytes, `the answer of ${url}`);
}

/**
 * @param {Response} response
 * @param {string} url
 */
async function readBody(response, url) {
  const chunks = [];
  let bytes_read = 0;
  for await (const chunk of response.body ?? []) {
    bytes_read += chunk.length;
    if (bytes_read > answer_bytes_max) {
      throw unreadable(`${url} answered with more than ${answer_bytes_max} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// -------------------------------------------------------------------------------------- the shapes

const visible_members = [
  ...['agent', 'date', 'message', 'name', 'postedUtc', 'prevHash'],
  ...['publicKey', 'seq', 'sig', 'v', 'entryHash'],
];
const hidden_members = ['seq', 'prevHash', 'entryHash', 'hidden'];

/**
 * @param {Uint8Array} bytes
 * @param {string} what
 * @returns {unknown}
 */
function parseJson(bytes, what) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw unreadable(`${what} is no JSON in UTF-8`);
  }
}

/**
 * An entry with exactly the members it may have: a further one would be content that nothing
 * covers, beside `hidden` even content that nothing looks at.
 *
 * @param {unknown} value
 * @param {string} what
 * @returns {Entry}
 */
function parseEntry(value, what) {
  const members = parseObject(value, what);
  const is_hidden = members.hidden !== undefined;
  if (is_hidden && members.hidden !== true) throw unreadable(`hidden of ${what} is not true`);
  const known = is_hidden ? hidden_members : visible_members;
  if (Object.keys(members).some((name) => !known.includes(name))) {
    throw unreadable(`${what} has a member beside ${known.join(', ')}`);
  }
  const string = (/** @type {string} */ name) => parseString(members, name, what);
  const number = (/** @type {string} */ name) => parseNumber(members, name, what);
  const link = { seq: number('seq'), prevHash: string('prevHash'), entryHash: string('entryHash') };
  if (is_hidden) return { ...link, hidden: true };
  return {
    agent: string('agent'),
    date: string('date'),
    message: string('message'),
    name: string('name'),
    postedUtc: string('postedUtc'),
    publicKey: string('publicKey'),
    sig: string('sig'),
    v: number('v'),
    ...link,
  };
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {Head}
 */
function parseHead(value, what) {
  const members = parseObject(value, what);
  return {
    seq: parseNumber(members, 'seq', what),
    hash: parseString(members, 'hash', what),
    updatedUtc: members.updatedUtc === null ? null : parseString(members, 'updatedUtc', what),
  };
}

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {Members}
 */
function parseObject(value, what) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw unreadable(`${what} is no object`);
}

/**
 * @param {Members} members
 * @param {string} name
 * @param {string} what
 */
function parseString(members, name, what) {
  const value = members[name];
  if (typeof value === 'string') return value;
  throw unreadable(`${name} of ${what} is no string`);
}

/**
 * @param {Members} members
 * @param {string} name
 * @param {string} what
 */
function parseNumber(members, name, what) {
  const value = members[name];
  if (typeof value === 'number') return value;
  throw unreadable(`${name} of ${what} is no number`);
}

// --------------------------------------------------------------------------------------- the files

/**
 * @param {string} path
 * @returns {Promise<Place | undefined>} what was remembered; nothing if the file is not there yet
 */
async function readRemembered(path) {
  if (!existsSync(path)) return undefined;
  const members = parseObject(parseJson(await readBytes(path), path), path);
  return { seq: parseNumber(members, 'seq', path), hash: parseString(members, 'hash', path) };
}

/**
 * A copy of a record, written while its entries are read; it appears whole or not at all.
 *
 * @param {string} path
 * @param {Source} source
 * @returns {Promise<{ source: Source, end: (how: { is_kept: boolean }) => Promise<void> }>}
 */
async function startCopy(path, { head, entries }) {
  const draft_path = draftPathOf(path);
  const draft = await toFile(path, () => open(draft_path, 'w'));
  const write = (/** @type {string} */ text) => toFile(path, () => draft.write(text));
  await write(`{"head":${JSON.stringify(head)},"entries":[`);
  async function* copied() {
    let separator = '\n';
    for await (const entry of entries) {
      await write(separator + JSON.stringify(entry));
      separator = ',\n';
      yield entry;
    }
  }
  return {
    source: { head, entries: copied() },
    async end({ is_kept }) {
      await write('\n]}\n');
      await draft.close();
      await toFile(path, () => (is_kept ? rename(draft_path, path) : rm(draft_path)));
    },
  };
}

/**
 * @param {string} path
 * @param {string} text
 */
async function writeWhole(path, text) {
  const draft_path = draftPathOf(path);
  await toFile(path, () => writeFile(draft_path, text));
  await toFile(path, () => rename(draft_path, path));
}

/** @param {string} path */
function draftPathOf(path) {
  return `${path}.${process.pid}.draft`;
}

/** @param {string} path */
async function readBytes(path) {
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(`cannot read ${path}: ${reasonOf(error)}`);
  }
}

/**
 * @template Value
 * @param {string} path
 * @param {() => Promise<Value>} act
 */
async function toFile(path, act) {
  try {
    return await act();
  } catch (error) {
    throw unreadable(`cannot write ${path}: ${reasonOf(error)}`);
  }
}

// --------------------------------------------------------------------------------------- the words

/** @param {number} entries_expected */
function startProgress(entries_expected) {
  const is_shown = process.stderr.isTTY && entries_expected > page_entries;
  return {
    show(/** @type {number} */ seq) {
      if (!is_shown || seq % 100 !== 0) return;
      process.stderr.write(`\rverified ${seq} of ${entries_expected} entries`);
    },
    end() {
      if (is_shown) process.stderr.write('\r\u001b[K');
    },
  };
}

/** @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  // fetch says "fetch failed" and keeps what happened in the cause.
  return error.cause instanceof Error ? error.cause.message : error.message;
}

try {
  await main();
} catch (error) {
  // A fault of this program must not look like a wrong record: Node's own exit code would be 1.
  const failure = error instanceof Failure ? error : unreadable(reasonOf(error));
  process.stderr.write(`${failure.message}\n`);
  process.exitCode = failure.exit_code;
}
