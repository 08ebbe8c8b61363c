import type { RecordCheck, RecordFault } from '@stoa/proof/guestbook';

/** The server refused: its status, and the code and message of its answer. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly code: string;
  /** whole seconds after which to ask again, where the server says so */
  readonly retry_after_s: number | undefined;

  constructor(refusal: {
    status: number;
    code: string;
    message: string;
    retry_after_s: number | undefined;
  }) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.retry_after_s = refusal.retry_after_s;
  }
}

/** No answer came, or it broke off, or took too long; `cause` says which. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** An answer came that the protocol does not know: another status, no JSON, another shape. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
}

/** What the server shows does not verify: the entry's `seq` and the check that failed. */
export class UnverifiedError extends Error {
  override readonly name = 'UnverifiedError';
  readonly seq: number;
  readonly check: RecordCheck;

  constructor(fault: RecordFault) {
    super(`seq ${fault.seq}: ${fault.check} - ${fault.why}`);
    this.seq = fault.seq;
    this.check = fault.check;
  }
}
