/**
 * What `entryHash` covers, under the names that the protocol gives it.
 *
 * @see guestbook §Verify (D-BOOK-14, D-BOOK-26)
 */
export type HashedEntry = {
  /** fingerprint of the key: 64 lowercase hex digits */
  readonly agent: string;
  /** the UTC day signed for: `YYYY-MM-DD` */
  readonly date: string;
  readonly message: string;
  readonly name: string;
  /** the instant of the append: `YYYY-MM-DDTHH:MM:SS.mmmZ` */
  readonly postedUtc: string;
  /** `entryHash` of the entry before, 64 zeros in entry 1 */
  readonly prevHash: string;
  /** base64 of 32 bytes */
  readonly publicKey: string;
  /** place in the chain, from 1 */
  readonly seq: number;
  /** base64 of 64 bytes: Ed25519 over the post payload */
  readonly sig: string;
  /** always 1; typed as what a record may hold, since a verifier has to look */
  readonly v: number;
};

/** An entry as published. */
export type VisibleEntry = HashedEntry & { readonly entryHash: string };

/** An entry whose content the operator withholds. */
export type HiddenEntry = {
  readonly seq: number;
  readonly prevHash: string;
  readonly entryHash: string;
  readonly hidden: true;
};

/** One item of `GET /api/guestbook/entries`. */
export type Entry = VisibleEntry | HiddenEntry;

/** The answer of `GET /api/guestbook/head`; `updatedUtc` is null in an empty book. */
export type Head = {
  readonly seq: number;
  readonly hash: string;
  readonly updatedUtc: string | null;
};
