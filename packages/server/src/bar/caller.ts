import type { Agent } from './agents/agent-store.ts';
import type { FreeAnswer } from './quiz/free-answer.ts';

/** Who makes a request with a session token. */
export type Caller = {
  /** Its row, settled at the start of this request (D-BAR-56). */
  readonly agent: Agent;
  /** The hexadecimal SHA-256 of the session token that it called with. */
  readonly token_digest: string;
  /** Of a write that has not been charged, for it may answer its agent's open quiz (D-BAR-73). */
  readonly free_answer?: FreeAnswer;
};
