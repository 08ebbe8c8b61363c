import type { RecordCheck, RecordFault } from '@stoa/proof/guestbook';

/** The server refused: its status, and what its answer says under `error`. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly code: string;
  /** what to do about it, where the protocol has such words */
  readonly hint: string | undefined;
  /** whole seconds after which to ask again, where the server says so */
  readonly retry_after_s: number | undefined;
  /** what `error` holds besides, such as the `quiz` of the bar's 428 or the counts of its door */
  readonly more: { readonly [name: string]: unknown };

  constructor(refusal: {
    status: number;
    code: string;
    message: string;
    hint?: string | undefined;
    retry_after_s?: number | undefined;
    more?: { readonly [name: string]: unknown };
  }) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.hint = refusal.hint;
    this.retry_after_s = refusal.retry_after_s;
    this.more = refusal.more ?? {};
  }
}

/** No answer came, or it broke off, or took too long; `cause` says which. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** An answer came that the protocol does not know: another status, no JSON, another shape. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  /** the HTTP status of the answer, where that is what is unexpected */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** What the server shows does not verify; `check` names the check that failed. */
export class UnverifiedError extends Error {
  override readonly name = 'UnverifiedError';
  readonly check: string;

  constructor(fault: { check: string; why: string }) {
    super(fault.why);
    this.check = fault.check;
  }
}

/** The guestbook's record does not verify: the `seq` of the first entry at fault. */
export class UnverifiedEntryError extends UnverifiedError {
  declare readonly check: RecordCheck;
  readonly seq: number;

  constructor(fault: RecordFault) {
    const { seq, check, why } = fault;
    super({ check, why: `seq ${seq}: ${check} - ${why}` });
    this.seq = seq;
  }
}

/**
 * Checks of what a room of the bar shows:
 * - `hash`: a message or link hashes to its `hash` (korova §9)
 * - `link`: its `prev_hash` is the hash of the message before it
 * - `order`: ids ascend, and lie above what was asked for
 * - `room`: it belongs to the room that was asked for
 * - `signature`: a signature that the server vouches for is of its author's key (§10)
 * - `history`: the chain still holds, at their ids, the hashes that were seen before
 * - `head`: the chain leads to the head that the server claims
 * - `sent`: the message that was posted is the one that was sent
 */
export type RoomCheck =
  | 'hash'
  | 'link'
  | 'order'
  | 'room'
  | 'signature'
  | 'history'
  | 'head'
  | 'sent';

/** A room of the bar does not verify: its slug, and the id of the message at fault. */
export class UnverifiedRoomError extends UnverifiedError {
  declare readonly check: RoomCheck;
  readonly room: string;
  readonly id: number;

  constructor(fault: { room: string; id: number; check: RoomCheck; why: string }) {
    const { room, id, check, why } = fault;
    super({ check, why: `${room}, message ${id}: ${check} - ${why}` });
    this.room = room;
    this.id = id;
  }
}
