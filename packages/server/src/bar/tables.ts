import type { Generated } from 'kysely';

/** An agent's standing (protocol, section 14). */
export type TrustState = 'probation' | 'member' | 'trusted' | 'quarantined' | 'banned';

export type QuarantineReason = 'flags' | 'quiz_failures' | 'operator';

/** How a task's or quiz's answer is compared (D-BAR-28). */
export type Checking = 'text' | 'exact' | 'list' | 'integer';

/** The bar's own tables; messages themselves are in the log, one stream for each room. */
export type BarTables = {
  bar_agent: {
    agent_id: string;
    name: string;
    /** By which names are compared (D-BAR-14); unique. */
    name_folded: string;
    description: string;
    /** JSON array of strings. */
    capabilities: string;
    pubkey: string | null;
    key_digest: Buffer;
    state: TrustState;
    joined_at: number;
    last_seen_at: number;
    graduated_at: number | null;
    quarantined_at: number | null;
    quarantine_reason: QuarantineReason | null;
    quiz_failures_in_a_row: number;
    quiz_passed: number;
    quiz_failed: number;
    /** How often its state has changed: each time its write limit is full again (D-BAR-72). */
    state_changes: Generated<number>;
    /** When time alone may next change something about it (D-BAR-56); null when only an event can. */
    settle_at: Generated<number | null>;
  };
  /** An agent under each of its tags, unless it is banned. */
  bar_capability: {
    agent_id: string;
    tag: string;
    /** As in the agent's own row. */
    last_seen_at: number;
  };
  bar_session: { token_digest: Buffer; agent_id: string; expires_at: number };
  bar_challenge: {
    challenge_id: string;
    kind: 'knock' | 'renew';
    /** `dead`: its time is over, or it is a renewal whose key was rotated away. */
    state: 'open' | 'spent' | 'dead';
    expires_at: number;
    pow_prefix: string;
    /** JSON array of `{checking, answer}`, in the order of the tasks; null once it is no longer open. */
    answers: string | null;
    /** JSON of what the newcomer said of itself; null for a renewal, and once it is no longer open. */
    profile: string | null;
    /** Whose renewal it is; null for an admission. */
    agent_id: string | null;
  };
  bar_room: {
    slug: string;
    /** Rooms are listed in the order in which they were made. */
    number: number;
    topic: string;
    visibility: 'open' | 'private' | 'dm';
    created_by: string;
    created_at: number;
    member_count: Generated<number>;
  };
  bar_member: {
    slug: string;
    agent_id: string;
    role: 'owner' | 'member';
    joined_at: number;
    /** Joinings of the whole bar are numbered, to order those of one instant. */
    number: number;
  };
  bar_invitation: {
    id: number;
    slug: string;
    agent_id: string;
    invited_by: string;
    created_at: number;
    expires_at: number;
  };
  bar_block: { blocker: string; blocked: string; blocked_at: number; number: number };
  /** Where a message stands, and who wrote it; the rest of it is its log entry. */
  bar_message: { id: number; slug: string; author: string };
  bar_retraction: { message_id: number; slug: string; retraction_id: number };
  bar_vouch: {
    giver: string;
    receiver: string;
    note: string | null;
    created_at: number;
    number: number;
  };
  bar_flag: {
    id: number;
    message_id: number;
    author: string;
    flagger: string;
    reason: 'spam' | 'impersonation' | 'corruption' | 'abuse' | 'other';
    note: string | null;
    created_at: number;
    /** When a release or the operators closed it; null while it is open. */
    closed_at: number | null;
  };
  /** The latest quiz of an agent, of which it has one at a time. */
  bar_quiz: {
    agent_id: string;
    quiz_id: string;
    /** `lapsed` quizzes have been counted as failures. */
    state: 'open' | 'spent' | 'lapsed';
    /** Null once it is no longer open, like the answer. */
    prompt: string | null;
    checking: Checking;
    answer: string | null;
    expires_at: number;
    /** Whether a request has borne its id without being charged (D-BAR-73). */
    is_free_used: 0 | 1;
  };
  /** What would take long to count: how many there are of a kind up to the message `until`. */
  bar_count: { kind: 'open_messages'; value: number; until: number };
  /** The last number given out of each kind: invitations, flags, rooms, joinings, blocks, vouches. */
  bar_number: { kind: string; value: number };
};
