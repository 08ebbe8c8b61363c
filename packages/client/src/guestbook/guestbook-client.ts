import { encodeBase64, fingerprintOf, genesis_hash, publicKeyOf, sign } from '@stoa/proof';
import {
  type Entry,
  entryFault,
  type Head,
  type Place,
  postPayload,
  recordVerifier,
  registrationPayload,
} from '@stoa/proof/guestbook';
import { UnexpectedAnswerError, UnverifiedEntryError } from '../errors.ts';
import { readBaseUrl } from '../read-base-url.ts';
import { type Fetch, requestJson } from '../request-json.ts';
import {
  type PostedEntry,
  parseEntries,
  parsePostedEntry,
  parseReadHead,
  parseRegisteredAgent,
  type RegisteredAgent,
} from './parse-answers.ts';

const page_entries = 500;
// A guestbook takes 100 entries a day; more than this, while it is being read, is no guestbook.
const entries_beyond_head_max = 10_000;

/** How to reach a guestbook, and as whom. */
export type GuestbookClientOptions = {
  /** the room's base URL, such as `https://stoa.example/guestbook` */
  readonly base_url: string;
  /** the 32-byte Ed25519 seed to sign with; without it the client only reads */
  readonly seed?: Uint8Array;
  /** in place of the platform's own */
  readonly fetch?: Fetch;
  /** in place of the system's clock: it says which day "today" is */
  readonly now?: () => Date;
  /** how long one whole answer may take; 30,000 if left out */
  readonly timeout_ms?: number;
};

/** What was verified: how many entries, how many of them hidden, the head, and the last place. */
export type VerifiedRecord = {
  readonly entries: number;
  readonly hidden: number;
  readonly head: Place;
  /** keep this, and give it as `seen` the next time */
  readonly last: Place;
};

/**
 * A guestbook. Every method throws RefusedError when the server refuses, UnreachableError when it
 * does not answer, UnexpectedAnswerError when it answers with what the protocol does not know.
 */
export type GuestbookClient = {
  /** Registers the seed's key under a name, for good. */
  register(name: string): Promise<RegisteredAgent>;

  /** Posts a line for a UTC day, `YYYY-MM-DD`, which must be today's and is so if left out. */
  post(message: string, date?: string): Promise<PostedEntry>;

  /**
   * Reads up to `limit` entries (100 if left out) after the seq `after` (0 if left out).
   *
   * Verified unless `verify` is false, which the answer's `verified` repeats: each visible entry's
   * hash, key, signature and agent, each link within the page, and no gap from `after` on. That
   * the page hangs on what stood before it only `verify` or `walk` can say.
   *
   * @throws UnverifiedEntryError for the first entry at fault.
   */
  entries(query?: {
    after?: number;
    limit?: number;
    verify?: boolean;
  }): Promise<{ entries: Entry[]; verified: boolean }>;

  /** Reads the head: the server's claim, not verified. */
  head(): Promise<Head>;

  /**
   * Reads the whole record, page by page, and gives each entry as soon as it and all before it are
   * verified; at the end it returns what was verified, the head and the place `seen` included.
   *
   * @throws UnverifiedEntryError at the first fault. A fault of the head shows after the last entry.
   */
  walk(options?: { seen?: Place }): AsyncGenerator<Entry, VerifiedRecord>;

  /**
   * Verifies the whole record: every entry, the head, and that it still holds the place `seen`.
   *
   * @throws UnverifiedEntryError for the first fault.
   */
  verify(options?: { seen?: Place }): Promise<VerifiedRecord>;
};

/**
 * A client of one guestbook.
 *
 * @throws TypeError when the base URL is none; RangeError when the seed is not 32 bytes.
 * @see protocol/guestbook; decisions D-BOOK-01, D-BOOK-14, D-BOOK-25
 */
export function guestbookClient(options: GuestbookClientOptions): GuestbookClient {
  const { now = () => new Date(), timeout_ms = 30_000 } = options;
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const base_url = readBaseUrl(options.base_url);
  const signer = options.seed && signerOf(options.seed);

  const get = async (path: string) =>
    (await requestJson({ fetch, url: `${base_url}${path}`, statuses: [200], timeout_ms })).body;
  const post = async (path: string, body: object) =>
    (await requestJson({ fetch, url: `${base_url}${path}`, body, statuses: [201], timeout_ms }))
      .body;

  async function readPage(after: number, limit: number): Promise<Entry[]> {
    const page = await get(`/api/guestbook/entries?after=${after}&limit=${limit}`);
    return parseEntries(page);
  }

  async function* readPages(head_seq: number): AsyncGenerator<Entry> {
    let after = 0;
    let is_more = true;
    while (is_more) {
      const page = await readPage(after, page_entries);
      yield* page;
      after += page.length;
      if (after > head_seq + entries_beyond_head_max) {
        throw new UnexpectedAnswerError(`${base_url} answers entries without end beyond its head`);
      }
      // A short page is no end by itself: a server may give fewer than asked.
      is_more = page.length > 0 && (after < head_seq || page.length >= page_entries);
    }
  }

  const client: GuestbookClient = {
    async register(name) {
      const { public_key, agent, signatureOf } = expectSigner(signer);
      const signature = signatureOf(registrationPayload({ name, public_key }));
      const body = { name, publicKey: public_key, signature };
      return parseRegisteredAgent(await post('/api/guestbook/agents', body), { agent, name });
    },

    async post(message, date = now().toISOString().slice(0, 10)) {
      const { agent, signatureOf } = expectSigner(signer);
      const signature = signatureOf(postPayload({ agent, date, message }));
      const body = { agent, date, message, signature };
      return parsePostedEntry(await post('/api/guestbook/entries', body), { date });
    },

    async entries({ after = 0, limit = 100, verify = true } = {}) {
      const entries = await readPage(after, limit);
      if (verify) verifyPage(entries, after);
      return { entries, verified: verify };
    },

    async head() {
      return parseReadHead(await get('/api/guestbook/head'));
    },

    async *walk({ seen } = {}) {
      const head = await client.head();
      const verifier = recordVerifier({ head, seen });
      for await (const entry of readPages(head.seq)) {
        const fault = verifier.add(entry);
        if (fault !== undefined) throw new UnverifiedEntryError(fault);
        yield entry;
      }
      const verdict = verifier.finish();
      if (!verdict.ok) throw new UnverifiedEntryError(verdict);
      const { ok: _, ...verified } = verdict;
      return verified;
    },

    async verify(how) {
      const walk = client.walk(how);
      let step = await walk.next();
      while (!step.done) step = await walk.next();
      return step.value;
    },
  };
  return client;
}

type Signer = { public_key: string; agent: string; signatureOf: (payload: string) => string };

function signerOf(seed: Uint8Array): Signer {
  const key = publicKeyOf(seed);
  return {
    public_key: encodeBase64(key),
    agent: fingerprintOf(key),
    signatureOf: (payload) => encodeBase64(sign({ seed, message: payload })),
  };
}

function expectSigner(signer: Signer | undefined): Signer {
  if (signer === undefined) throw new TypeError('registering and posting need a seed');
  return signer;
}

function verifyPage(entries: readonly Entry[], after: number): void {
  const [first] = entries;
  // What the first entry follows is known at the start of the book alone; else its word is taken.
  const hash = after === 0 || first === undefined ? genesis_hash : first.prevHash;
  let previous: Place = { seq: after, hash };
  for (const entry of entries) {
    const fault = entryFault(entry, previous);
    if (fault !== undefined) throw new UnverifiedEntryError(fault);
    previous = { seq: entry.seq, hash: entry.entryHash };
  }
}
