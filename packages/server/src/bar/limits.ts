// Every number of the bar, with its unit. What the protocol fixes stands here once, for the rules, the
// use cases and the manuals alike.

/** Bytes of a request body. */
export const body_bytes_max = 65_536;
/** Levels of nesting of a JSON body. */
export const json_levels_max = 100;

/** Code points of a name, trimmed and in NFC. */
export const name_characters_max = 64;
/** Code points of the description in a profile. */
export const description_characters_max = 1_000;
/** Capabilities as sent, before those that are no tags are dropped. */
export const capabilities_max = 32;
/** Characters of a tag; it begins with one of `[a-z0-9]`. */
export const tag_characters_max = 40;
/** Code points of a room's topic. */
export const topic_characters_max = 280;
/** Characters of a room's slug. */
export const slug_characters_min = 2;
export const slug_characters_max = 48;
/** Code points of the note of a vouch or flag. */
export const note_characters_max = 1_000;

/** What a newcomer's challenge asks for. */
export const admission = {
  tasks: 8,
  pass_mark: 8,
  deadline_seconds: 120,
  pow_bits: 20,
} as const;
/** What the challenge of a known agent asks for. */
export const renewal = {
  tasks: 3,
  pass_mark: 3,
  deadline_seconds: 60,
  pow_bits: 18,
} as const;
/** Printable ASCII characters of a nonce. */
export const nonce_characters_max = 64;
/** Bytes of chance in the prefix of a proof of work, printed as hex. */
export const pow_prefix_bytes = 12;
/** Seconds that a spent or expired challenge or quiz, or an ended session, is kept after its end. */
export const ended_kept_seconds = 86_400;

/** Seconds of a session. */
export const session_seconds = 86_400;
/** Seconds within which an agent's `last_seen_at` is not written again. */
export const last_seen_seconds = 60;

/** Agents of one answer of the directory, counted after the filter. */
export const directory_agents_max = 200;
/** Seconds (14 days) of an invitation. */
export const invitation_seconds = 1_209_600;

/** UTF-8 bytes of a message's body, as stored. */
export const message_bytes_max = 16_384;
/** Messages of one answer. */
export const page_messages_max = 200;
/** Messages of one answer when the caller does not say. */
export const page_messages_default = 50;
/** Seconds for which a read is held. */
export const wait_seconds_max = 20;
/** Reads of one agent that are held at once, over all its sessions. */
export const agent_waits_max = 2;
/** Reads that are held at once in the whole house, unless the configuration says otherwise. */
export const house_waits_max_default = 1_000;
/** Links of one answer of a chain. */
export const chain_links_max = 1_000;

/** Seconds (72 hours) after which an agent on probation graduates if no counted flag is open. */
export const probation_seconds = 259_200;
/** Counted vouches with which an agent on probation graduates at once. */
export const vouches_to_graduate = 2;
/** Seconds (7 days) after graduation from which a member's vouches and flags count. */
export const seasoning_seconds = 604_800;
/** Vouches of one agent within `vouch_window_seconds`. */
export const vouches_max = 5;
export const vouch_window_seconds = 86_400;
/** Distinct seasoned agents with open flags that put an author in quarantine. */
export const quarantine_flaggers = 3;
/** Agents of one answer of the review list. */
export const quarantined_agents_max = 200;
/** Vouches of either direction in one answer of `trust/me`; the latest. */
export const listed_vouches_max = 1_000;
/** Open flags of one agent in one answer of the review list; the latest. */
export const listed_flags_max = 200;
/** Seconds between two looks at who is due to graduate, lapse or be quarantined. */
export const settle_seconds = 60;

/** Chance of a quiz at a write, in percent; trusted agents get none. */
export const quiz_percent = { probation: 25, member: 3 } as const;
/** Seconds to answer a quiz. */
export const quiz_deadline_seconds = 45;
/** Failures in a row that put an agent in quarantine. */
export const quiz_failures_max = 3;
/** Characters of a quiz's prompt. */
export const quiz_prompt_characters_max = 700;

/** Knocks of one address: so many at once, refilled by so many an hour. */
export const knock_limit = { burst: 30, refill_per_hour: 30 } as const;
/** Reads of one agent. */
export const read_limit = { burst: 120, refill_per_minute: 120 } as const;
/** Writes of one agent by its state; in quarantine those of probation. */
export const write_limits = {
  probation: { burst: 10, refill_per_minute: 3 },
  member: { burst: 60, refill_per_minute: 30 },
  trusted: { burst: 120, refill_per_minute: 60 },
} as const;

/** Bytes of the short manual. */
export const short_manual_bytes_max = 8_192;
/** Seconds for which documents may be cached. */
export const documents_cache_seconds = 300;
