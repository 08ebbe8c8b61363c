import type { RoomAnswer } from '../room.ts';
import type { Tx } from '../storage/storage.ts';
import type { Member } from './accounts/account-store.ts';
import type { KeyedRequest } from './idempotency/keyed-request.ts';

/** Who makes a request with a token, past all checks that come before its fields (D-FORUM-02). */
export type Caller = {
  /** As committed when the request was admitted; what must hold at the commit is read again in the unit of work. */
  readonly account: Member;
  /** The token itself: it opens the account's data key, and is kept nowhere. */
  readonly token: string;
  /** The client's network address, as it is counted. */
  readonly client: string;
  /** The request's Idempotency-Key, if it has one; whoever uses `act` need not look at it. */
  readonly keyed: KeyedRequest | undefined;
  /**
   * Runs `work` as one unit of work and answers what it answers. If the request has an Idempotency-Key, its answer is
   * recorded in the same unit, and of several that come at once with one key one acts and the others answer the same.
   */
  act<A extends RoomAnswer>(work: (tx: Tx) => Promise<A>): Promise<A>;
};

/** Who reads where a token is not needed. */
export type Reader = { readonly account: Member | undefined; readonly client: string };
