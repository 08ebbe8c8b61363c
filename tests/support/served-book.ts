import assert from 'node:assert/strict';
import { genesis_hash } from '@stoa/proof';
import { type Entry, entryFault, type Place } from '@stoa/proof/guestbook';
import type { TestAgent } from './agents.ts';
import { type Answer, readAnswer } from './answers.ts';
import { book_api, entriesOf } from './guestbook.ts';
import type { Server } from './serve.ts';

/** Flags and configuration of a real server whose clock and callers' addresses a test decides. */
export const practice_flags = ['--practice', '--log-level', 'warn'];
export const trusting_config = 'trust_proxy = 1\n';

/** The guestbook of a real server, as its clients see it. */
export type ServedBook = {
  /** Registers from the `address`-th address of this test. */
  register(agent: TestAgent, address: number): Promise<Answer>;
  post(agent: TestAgent, line: { date: string; message: string }): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Moves the clock by whole days, past a midnight that is near; answers the date it then shows. */
  advance(days: number): Promise<string>;
  /** The entries after `place`, each of them verified. */
  entriesAfter(place: Place): Promise<Entry[]>;
};

const hour_s = 3_600;
const day_s = 24 * hour_s;

/** Before entry 1. */
export const book_start: Place = { seq: 0, hash: genesis_hash };

export const placeOf = ({ seq, entryHash }: Entry): Place => ({ seq, hash: entryHash });

export function servedBook({ base }: Pick<Server, 'base'>): ServedBook {
  const get = async (path: string) => readAnswer(await fetch(base + book_api + path));
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    readAnswer(await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  const moveClock = async (advance_seconds: number) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await send('/practice/clock', { advance_seconds }, headers);
    assert.equal(answer.status, 200, answer.text);
    return (answer.body as { now: string }).now;
  };
  return {
    get,
    register: (agent, address) =>
      send(`${book_api}/agents`, agent.registration(), { 'x-forwarded-for': addressOf(address) }),
    post: (agent, line) => send(`${book_api}/entries`, agent.post(line)),
    async advance(days) {
      const now = await moveClock(days * day_s);
      const is_late = now.slice(11, 13) === '23';
      return (is_late ? await moveClock(hour_s) : now).slice(0, 10);
    },
    async entriesAfter(place) {
      const entries: Entry[] = [];
      for (;;) {
        const last = entries.at(-1);
        const previous = last ? placeOf(last) : place;
        const page = entriesOf(await get(`/entries?after=${previous.seq}&limit=500`));
        if (page.length === 0) return entries;
        for (const [index, entry] of page.entries()) {
          const before = page[index - 1];
          const fault = entryFault(entry, before ? placeOf(before) : previous);
          assert.equal(fault, undefined, `seq ${fault?.seq}: ${fault?.check}: ${fault?.why}`);
          entries.push(entry);
        }
      }
    },
  };
}

/** One of 16 million addresses of a test. */
function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
