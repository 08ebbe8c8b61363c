import type { Entry, Head, HiddenEntry, VisibleEntry } from './record.ts';

type Members = { readonly [name: string]: unknown };

const visible_members: readonly string[] = [
  'agent',
  'date',
  'message',
  'name',
  'postedUtc',
  'prevHash',
  'publicKey',
  'seq',
  'sig',
  'v',
  'entryHash',
] satisfies (keyof VisibleEntry)[];
const hidden_members: readonly string[] = [
  'seq',
  'prevHash',
  'entryHash',
  'hidden',
] satisfies (keyof HiddenEntry)[];

/**
 * Reads an entry, visible or hidden, out of parsed JSON: its members and their types. What they
 * hold is for `verifyRecord` to judge.
 *
 * A further member is refused: it would be content that no hash and no signature covers, or, beside
 * `hidden`, content that no check looks at.
 *
 * @throws TypeError that says which member is wrong.
 * @see guestbook §Read (D-BOOK-14)
 */
export function parseEntry(value: unknown): Entry {
  const members = parseMembers(value, 'the entry');
  if (members.hidden !== undefined) return parseHiddenEntry(members);
  refuseFurther(members, visible_members);
  return {
    agent: parseString(members, 'agent'),
    date: parseString(members, 'date'),
    message: parseString(members, 'message'),
    name: parseString(members, 'name'),
    postedUtc: parseString(members, 'postedUtc'),
    prevHash: parseString(members, 'prevHash'),
    publicKey: parseString(members, 'publicKey'),
    seq: parseNumber(members, 'seq'),
    sig: parseString(members, 'sig'),
    v: parseNumber(members, 'v'),
    entryHash: parseString(members, 'entryHash'),
  };
}

/**
 * Reads the head out of parsed JSON: its members and their types. Further members are ignored.
 *
 * @throws TypeError that says which member is wrong.
 * @see guestbook §Read (D-BOOK-14)
 */
export function parseHead(value: unknown): Head {
  const members = parseMembers(value, 'the head');
  return {
    seq: parseNumber(members, 'seq'),
    hash: parseString(members, 'hash'),
    updatedUtc: members.updatedUtc === null ? null : parseString(members, 'updatedUtc'),
  };
}

function parseHiddenEntry(members: Members): HiddenEntry {
  if (members.hidden !== true) throw new TypeError('hidden is there and not true');
  refuseFurther(members, hidden_members);
  return {
    seq: parseNumber(members, 'seq'),
    prevHash: parseString(members, 'prevHash'),
    entryHash: parseString(members, 'entryHash'),
    hidden: true,
  };
}

function parseMembers(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what} is no object`);
  }
  return { ...value };
}

function refuseFurther(members: Members, known: readonly string[]): void {
  if (Object.keys(members).some((name) => !known.includes(name))) {
    throw new TypeError(`there is a member beside ${known.join(', ')}`);
  }
}

function parseString(members: Members, name: string): string {
  const value = members[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is no string`);
  return value;
}

function parseNumber(members: Members, name: string): number {
  const value = members[name];
  if (typeof value !== 'number') throw new TypeError(`${name} is no number`);
  return value;
}
