import { genesis_hash } from '@stoa/proof';
import type { HashedEntry } from '@stoa/proof/guestbook';
import type { Answer, guestbook_routes } from '@stoa/wire';
import type { Deps } from '../deps.ts';
import type { LogEntry } from '../log/log.ts';
import { listHidden } from './guestbook-store.ts';

/** The book's stream in the log; an entry's body is the exact text that was hashed. */
export const guestbook_stream = 'guestbook';

/** An entry as it is published: whole, or its place in the chain alone. */
export type PublishedEntry = Answer<typeof guestbook_routes.listEntries>['body']['entries'][number];

/** The digits of a hash as they are published; the book starts from 64 zeros. */
export const hashDigits = (hash: Buffer | undefined): string =>
  hash?.toString('hex') ?? genesis_hash;

/** The entry as it is published; of a hidden one its place in the chain alone (D-BOOK-14, D-BOOK-21). */
function entryView(entry: LogEntry, is_hidden: boolean): PublishedEntry {
  const entryHash = hashDigits(entry.hash);
  if (is_hidden) {
    const prevHash = hashDigits(entry.prev_hash);
    return { seq: entry.position, prevHash, entryHash, hidden: true };
  }
  return { ...(JSON.parse(entry.body) as HashedEntry & { v: 1 }), entryHash };
}

/** Entries of the log as they are published now. */
export async function publishedEntries(
  deps: Deps,
  entries: readonly LogEntry[],
): Promise<PublishedEntry[]> {
  if (entries.length === 0) return [];
  const positions = entries.map(({ position }) => position);
  // Read after the entries, so that what was hidden before this answer is not in it.
  const hidden = await listHidden(deps.read, Math.min(...positions), Math.max(...positions));
  return entries.map((entry) => entryView(entry, hidden.has(entry.position)));
}
