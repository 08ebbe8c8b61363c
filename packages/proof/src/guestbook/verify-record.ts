import { decodePublicKey, decodeSignature, fingerprintOf, verifySignature } from '../ed25519.ts';
import { genesis_hash, linkFault } from '../hash-chain.ts';
import { entryHash } from './entry-hash.ts';
import type { Entry, HiddenEntry, VisibleEntry } from './record.ts';
import { postPayload } from './signed-payload.ts';

/** What is checked, in this order; `head` and `history` come once, after the last entry. */
export type RecordCheck = 'seq' | 'entryHash' | 'prevHash' | 'sig' | 'agent' | 'head' | 'history';

/** A place in the chain: the `seq` of an entry and its `entryHash`; 0 and 64 zeros before entry 1. */
export type Place = { readonly seq: number; readonly hash: string };

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
      /** the head that was verified, and the last entry, which may stand beyond it */
      readonly head: Place;
      readonly last: Place;
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
 * It does not prove that everybody is shown the same record. Keep the `last` place of a verified
 * record and give it as `seen` the next time: a later record must still hold that hash there.
 *
 * @see guestbook §Verify (D-BOOK-24, D-BOOK-25, D-BOOK-27)
 */
export function verifyRecord(record: {
  head: Place;
  entries: Iterable<Entry>;
  seen?: Place | undefined;
}): RecordVerdict {
  const verifier = recordVerifier(record);
  for (const entry of record.entries) {
    if (verifier.add(entry) !== undefined) break;
  }
  return verifier.finish();
}

/**
 * Starts the verification of a record that comes in pages, against a head that was read before the
 * first of them, and a place seen in an earlier record if there is one.
 *
 * @see guestbook §Verify (D-BOOK-24, D-BOOK-25, D-BOOK-27)
 */
export function recordVerifier(known: { head: Place; seen?: Place | undefined }): RecordVerifier {
  const head = { seq: known.head.seq, hash: known.head.hash };
  const hash_at = new Map([[0, genesis_hash]]);
  let last: Place = { seq: 0, hash: genesis_hash };
  let hidden = 0;
  let fault: RecordFault | undefined;

  return {
    add(entry) {
      fault ??= entryFault(entry, last);
      if (fault !== undefined) return fault;
      last = { seq: entry.seq, hash: entry.entryHash };
      if (entry.seq === head.seq || entry.seq === known.seen?.seq) hash_at.set(last.seq, last.hash);
      if (isHidden(entry)) hidden += 1;
      return undefined;
    },
    finish() {
      fault ??=
        placeFault('head', { place: head, hash: hash_at.get(head.seq), last }) ??
        (known.seen &&
          placeFault('history', { place: known.seen, hash: hash_at.get(known.seen.seq), last }));
      if (fault !== undefined) return { ok: false, ...fault };
      return { ok: true, entries: last.seq, hidden, head, last };
    },
  };
}

/**
 * What is wrong with one entry, if anything, given the place of the one before. Of a hidden entry only `seq` and `prevHash` can be checked.
 *
 * Keys and base64 are held to what the server may register (check `sig`), so that a server cannot
 * pass off forged lines under a broken key.
 *
 * @see guestbook §Verify (D-BOOK-24)
 */
export function entryFault(entry: Entry, previous: Place): RecordFault | undefined {
  const fault = (check: RecordCheck, why: string) => ({ seq: entry.seq, check, why });
  if (entry.seq !== previous.seq + 1) {
    return fault('seq', `Entry ${previous.seq + 1} should stand here.`);
  }
  const link = linkFault(
    { hash: entry.entryHash, prev_hash: entry.prevHash },
    { hash: isHidden(entry) ? undefined : recomputedHash(entry), prev_hash: previous.hash },
  );
  if (!isHash(entry.entryHash)) return fault('entryHash', 'The entryHash is no hash.');
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

/** What is wrong with a place that the record must hold, `hash` being what it holds there. */
function placeFault(
  check: 'head' | 'history',
  { place, hash, last }: { place: Place; hash: string | undefined; last: Place },
): RecordFault | undefined {
  const fault = (why: string): RecordFault => ({ seq: place.seq, check, why });
  if (hash === undefined) return fault(`The record ends at ${last.seq}.`);
  if (hash !== place.hash) return fault(`The record has another hash at ${place.seq}.`);
  return isHash(hash) ? undefined : fault('The hash is not 64 lowercase hex digits.');
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
