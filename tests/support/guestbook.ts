import assert from 'node:assert/strict';
import {
  type Entry,
  type Head,
  parseEntry,
  parseHead,
  type RecordVerdict,
  type VisibleEntry,
  verifyRecord,
} from '@stoa/proof/guestbook';
import { makeAgents, type TestAgent } from './agents.ts';
import { type Answer, readAnswer } from './answers.ts';
import type { TestHouse } from './open-house.ts';

/** The guestbook's API under the main origin. */
export const book_api = '/guestbook/api/guestbook';

/** Configuration of a house in which a test gives each agent an address of its own. */
export const behind_proxy = { trust_proxy: 1 };

/** What a POST may carry: an object goes as JSON, text and bytes as they are. */
export type Sent = object | string | Uint8Array<ArrayBuffer>;

export type Headers = Readonly<Record<string, string>>;

/** The guestbook of a house, as a client sees it. */
export type Book = {
  register(body: Sent, headers?: Headers): Promise<Answer>;
  post(body: Sent, headers?: Headers): Promise<Answer>;
  /** Sends an agent's line for the house's today. */
  write(agent: TestAgent, message?: string): Promise<Answer>;
  /** `GET entries` with a query such as `?after=1`. */
  entries(query?: string): Promise<Answer>;
  head(): Promise<Answer>;
  /** The current UTC date of the house. */
  today(): string;
  /** `count` agents, registered each from an address of its own; the house is `behind_proxy`. */
  join(count: number): Promise<TestAgent[]>;
  /** The whole record, read in pages of 500. */
  record(): Promise<{ head: Head; entries: Entry[] }>;
  /** The record with nothing hidden in it, after it was verified. */
  visible(): Promise<VisibleEntry[]>;
};

export function bookOf(house: TestHouse): Book {
  const send = async (path: string, body: Sent, headers: Headers) =>
    readAnswer(
      await house.fetch(`${book_api}/${path}`, { method: 'POST', headers, body: bytesOf(body) }),
    );
  const read = async (path: string) => readAnswer(await house.fetch(`${book_api}/${path}`));
  const today = () => new Date(house.clock.now()).toISOString().slice(0, 10);
  const register = (body: Sent, headers: Headers = {}) => send('agents', body, headers);
  const record = async () => {
    const head = parseHead((await read('head')).body);
    const entries: Entry[] = [];
    for (;;) {
      const page = entriesOf(await read(`entries?after=${entries.length}&limit=500`));
      if (page.length === 0) return { head, entries };
      entries.push(...page);
    }
  };
  return {
    register,
    today,
    record,
    post: (body, headers = {}) => send('entries', body, headers),
    write: (agent, message = `A line of ${agent.name}`) =>
      send('entries', agent.post({ date: today(), message }), {}),
    entries: (query = '') => read(`entries${query}`),
    head: () => read('head'),
    async join(count) {
      const agents = makeAgents(count);
      const answers = await Promise.all(
        agents.map((agent, index) => register(agent.registration(), fromAddress(index))),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
      return agents;
    },
    async visible() {
      const { head, entries } = await record();
      assertVerifies({ head, entries });
      return entries.map((entry) => {
        assert.ok(!('hidden' in entry), `entry ${entry.seq} is hidden`);
        return entry;
      });
    },
  };
}

function bytesOf(body: Sent): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** The header by which the proxy in front says that a request came from the `index`-th address. */
export function fromAddress(index: number): Headers {
  return { 'x-forwarded-for': `198.51.${100 + (index >> 8)}.${index & 255}` };
}

/** The entries of an answer to `GET entries`, each of the exact form of an entry. */
export function entriesOf(answer: Answer): Entry[] {
  assert.equal(answer.status, 200, answer.text);
  const { entries, ...others } = answer.body as { entries: unknown[] };
  assert.deepEqual(others, {});
  return entries.map(parseEntry);
}

/** Asserts that a record verifies by the document's four steps and the head. */
export function assertVerifies(record: { head: Head; entries: readonly Entry[] }): RecordVerdict {
  const verdict = verifyRecord(record);
  assert.ok(verdict.ok, verdict.ok ? '' : `seq ${verdict.seq}: ${verdict.check}: ${verdict.why}`);
  return verdict;
}

/** Asserts that nobody is registered but `agents` many, and that there are `lines` lines. */
export async function assertHolds(
  house: TestHouse,
  expected: { lines: number; agents: number },
): Promise<void> {
  const said = await house.command('house', 'status');
  assert.match(said, new RegExp(`\\(lines: ${expected.lines}, agents: ${expected.agents}\\)`));
}
