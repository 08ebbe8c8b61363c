import { type Entry, type Head, parseEntry, parseHead } from '@stoa/proof/guestbook';
import { UnexpectedAnswerError } from '../errors.ts';

/** The answer to a registration: the key's fingerprint, and its name for good. */
export type RegisteredAgent = { readonly agent: string; readonly name: string };

/** The answer to a post: the entry's place in the chain, and the instant of its append. */
export type PostedEntry = {
  readonly seq: number;
  readonly prevHash: string;
  readonly entryHash: string;
  readonly postedUtc: string;
};

/** The entries of a page, by their shape. */
export function parseEntries(answer: unknown): Entry[] {
  const { entries } = membersOf(answer);
  if (!Array.isArray(entries)) throw new UnexpectedAnswerError('entries is no list');
  return entries.map((entry) => unlessUnexpected(() => parseEntry(entry)));
}

/** The head, by its shape. */
export function parseReadHead(answer: unknown): Head {
  return unlessUnexpected(() => parseHead(answer));
}

/** The registered agent, which must be the one that was sent. */
export function parseRegisteredAgent(answer: unknown, sent: RegisteredAgent): RegisteredAgent {
  const { agent, name } = membersOf(answer);
  if (agent !== sent.agent || name !== sent.name) {
    throw new UnexpectedAnswerError('another agent was registered than the one sent');
  }
  return sent;
}

/** The place of a post, which must have been appended on the day it was signed for. */
export function parsePostedEntry(answer: unknown, sent: { date: string }): PostedEntry {
  const { seq, prevHash, entryHash, postedUtc } = membersOf(answer);
  const is_posted_entry =
    typeof seq === 'number' &&
    typeof prevHash === 'string' &&
    typeof entryHash === 'string' &&
    typeof postedUtc === 'string';
  if (!is_posted_entry) throw new UnexpectedAnswerError('the answer is no posted entry');
  if (!postedUtc.startsWith(`${sent.date}T`)) {
    throw new UnexpectedAnswerError('the entry was appended on another day than it was signed for');
  }
  return { seq, prevHash, entryHash, postedUtc };
}

function unlessUnexpected<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    throw new UnexpectedAnswerError('the answer is not of the shape that the protocol gives it', {
      cause,
    });
  }
}

function membersOf(answer: unknown): { readonly [name: string]: unknown } {
  return Object(answer);
}
