import type { Agent } from './agents/agent-store.ts';

/** Who makes a request with a session token. */
export type Caller = {
  /** Its row, settled at the start of this request (D-BAR-56). */
  readonly agent: Agent;
  /** SHA-256 of the session token that it called with. */
  readonly token_digest: Buffer;
};
