import { decodePublicKey, decodeSignature, fingerprintOf, verifySignature } from '../ed25519.ts';
import { genesis_hash, linkFault } from '../hash-chain.ts';
import { entryHash } from './entry-hash.ts';
import type { Entry, Head, HiddenEntry, VisibleEntry } from './record.ts';
import { postPayload } from './signed-payload.ts';

/** What is checked, in this order; `head` comes once, after the last entry. */
export type RecordCheck = 'seq' | 'entryHash' | 'prevHash' | 'sig' | 'agent' | 'head';

/** The first thing found wrong: the `seq` it stands at, the check that failed, and a sentence. */
export type RecordFault = {
  readonly seq: number;
  readonly check: RecordCheck;
  readonly why: string;
};

/** The outcome for a whole record: how many entries it holds, how many of them hidden. */
export type RecordVerdict =
  | {
      readonly ok: true;
      readonly entries: number;
      readonly hidden: number;
      readonly head: Pick<Head, 'seq' | 'hash'>;
    }
  | ({ readonly ok: false } & RecordFault);

/** Verifies a record that comes in pages: `add` each entry in order, then `finish`. */
export type RecordVerifier = {
  /** Checks the next entry against all before it; after the first fault it answers that one. */
  add(entry: Entry): RecordFault | undefined;
  /** Checks the head and answers for the whole. */
  finish(): RecordVerdict;
};

/**
 * Verifies a whole record: every entry, then that the entry of the head's `seq` has the head's
 * hash. Entries beyond the head are verified as well: they were posted after it was read.
 *
 * It does not prove that everybody is shown the same record. Keep a head that you have seen: a
 * later record must still hold that hash at that `seq`.
 *
 * @see guestbook §Verify (D-BOOK-24, D-BOOK-25, D-BOOK-27)
 */
export function verifyRecord(record: {
  head: Pick<Head, 'seq' | 'hash'>;
  entries: Iterable<Entry>;
}): RecordVerdict {
  const verifier = recordVerifier(record.head);
  for (const entry of record.entries) {
    if (verifier.add(entry) !== undefined) break;
  }
  return verifier.finish();
}

/**
 * Starts the verification of a record that comes in pages, against a head that was read before the
 * first of them.
 *
 * @see guestbook §Verify (D-BOOK-24, D-BOOK-25)
 */
export function recordVerifier(head: Pick<Head, 'seq' | 'hash'>): RecordVerifier {
  let last = { seq: 0, hash: genesis_hash };
  let hash_at_head = head.seq === 0 ? genesis_hash : undefined;
  let hidden = 0;
  let fault: RecordFault | undefined;

  return {
    add(entry) {
      fault ??= entryFault(entry, last);
      if (fault !== undefined) return fault;
      last = { seq: entry.seq, hash: entry.entryHash };
      if (entry.seq === head.seq) hash_at_head = entry.entryHash;
      if (isHidden(entry)) hidden += 1;
      return undefined;
    },
    finish() {
      fault ??= headFault(head, { hash_at_head, last_seq: last.seq });
      if (fault !== undefined) return { ok: false, ...fault };
      return { ok: true, entries: last.seq, hidden, head: { seq: head.seq, hash: head.hash } };
    },
  };
}

/**
 * What is wrong with one entry, if anything, given the `seq` and `entryHash` of the one before (0
 * and 64 zeros before entry 1). Of a hidden entry only `seq` and `prevHash` can be checked.
 *
 * Keys and base64 are held to what the server may register (check `sig`), so that a server cannot
 * pass off forged lines under a broken key.
 *
 * @see guestbook §Verify (D-BOOK-24)
 */
export function entryFault(
  entry: Entry,
  previous: { seq: number; hash: string },
): RecordFault | undefined {
  const fault = (check: RecordCheck, why: string) => ({ seq: entry.seq, check, why });
  if (entry.seq !== previous.seq + 1) {
    return fault('seq', `Entry ${previous.seq + 1} should stand here.`);
  }
  const link = linkFault(
    { hash: entry.entryHash, prev_hash: entry.prevHash },
    { hash: isHidden(entry) ? undefined : recomputedHash(entry), prev_hash: previous.hash },
  );
  if (link === 'hash') return fault('entryHash', 'The entry does not hash to its entryHash.');
  if (link === 'prev_hash' || !isHash(entry.prevHash)) {
    return fault('prevHash', `The entry does not follow ${nameOf(previous.seq)}.`);
  }
  if (isHidden(entry)) return undefined;
  const author = authorFault(entry);
  return author && fault(author.check, author.why);
}

// Nothing hashes to the empty text: it stands for an entry that has no hash at all.
function recomputedHash(entry: VisibleEntry): string {
  const texts = Object.values(entry).filter((member) => typeof member === 'string');
  const is_hashable = entry.v === 1 && texts.every((text) => text.isWellFormed());
  return is_hashable ? entryHash(entry) : '';
}

function authorFault(entry: VisibleEntry): Omit<RecordFault, 'seq'> | undefined {
  const decoded = decodePublicKey(entry.publicKey);
  if ('fault' in decoded) {
    return { check: 'sig', why: `The publicKey may not sign: ${decoded.fault}.` };
  }
  const signature = decodeSignature(entry.sig);
  if (signature === undefined) {
    return { check: 'sig', why: 'The sig is not the canonical base64 of 64 bytes.' };
  }
  const { key } = decoded;
  if (!verifySignature({ key, message: postPayload(entry), signature })) {
    return { check: 'sig', why: 'The sig does not verify under the publicKey.' };
  }
  if (fingerprintOf(key) !== entry.agent) {
    return { check: 'agent', why: 'The agent is not the fingerprint of the publicKey.' };
  }
  return undefined;
}

function headFault(
  head: Pick<Head, 'seq' | 'hash'>,
  found: { hash_at_head: string | undefined; last_seq: number },
): RecordFault | undefined {
  const fault = (why: string): RecordFault => ({ seq: head.seq, check: 'head', why });
  if (found.hash_at_head === undefined) {
    return fault(`The head is not in the record, which ends at ${found.last_seq}.`);
  }
  if (found.hash_at_head !== head.hash)
    return fault(`The head's hash is not that of ${nameOf(head.seq)}.`);
  return isHash(head.hash) ? undefined : fault("The head's hash is not 64 lowercase hex digits.");
}

function nameOf(seq: number): string {
  return seq === 0 ? 'the 64 zeros before entry 1' : `entry ${seq}`;
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function isHidden(entry: Entry): entry is HiddenEntry {
  return 'hidden' in entry;
}
