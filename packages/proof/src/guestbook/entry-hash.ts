import { canonicalJson } from '../canonical-json.ts';
import { sha256Hex } from '../sha256.ts';
import type { HashedEntry } from './record.ts';

/**
 * The text that an entry's hash covers, to be taken as UTF-8: its ten members in alphabetical
 * order, `v` being 1 whatever the entry says. Other members of the object are left out.
 *
 * @throws TypeError when a member holds a lone surrogate.
 * @see guestbook §Verify step 1 (D-BOOK-26)
 */
export function entryPreimage(entry: Omit<HashedEntry, 'v'>): string {
  const { agent, date, message, name, postedUtc, prevHash, publicKey, seq, sig } = entry;
  return canonicalJson({
    agent,
    date,
    message,
    name,
    postedUtc,
    prevHash,
    publicKey,
    seq,
    sig,
    v: 1,
  });
}

/**
 * The hash of an entry: SHA-256 over the UTF-8 of its preimage, 64 lowercase hex digits.
 *
 * @throws TypeError when a member holds a lone surrogate.
 * @see guestbook §Verify step 1 (D-BOOK-26)
 */
export function entryHash(entry: Omit<HashedEntry, 'v'>): string {
  return sha256Hex(entryPreimage(entry));
}
