import { Type } from 'typebox';

/** Bytes of a request body. */
export const body_bytes_max = 16_384;

export const minute_ms = 60_000;
export const hour_ms = 3_600_000;
export const day_ms = 86_400_000;

/** Lines of the list of registrations that are given at once, unless asked otherwise. */
export const registrations_page_default = 100;

/** For so long a cookie of an agent's sign-in counts. */
export const browser_session_ms = 12 * hour_ms;

/** For so long a challenge of Sigil works, and a session that it opened lives. */
export const sigil_challenge_ms = 60_000;
export const sigil_session_ms = 900_000;

/** Attempts at Sigil of one client address that are refused within a minute, before further ones are not heard. */
export const sigil_refusals = { limit: 30, window_ms: 60_000, keys_max: 10_000 } as const;

/** Accounts, handles and passcodes kept in memory, each. */
export const accounts_kept_max = 20_000;

const count = (standard: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: standard, description });

/** Pairs of accounts whose relation is kept in memory. */
export const relations_kept_max = 50_000;

/** The protocol's own limits, which `[network.limits]` may change (D-NET-80). */
export const limits_schema = Type.Object({
  signups_per_hour_max: count(3, 'Sign-ups within an hour from one client address.'),
  signups_per_day_max: count(10, 'Sign-ups within a day from one client address.'),
  house_signups_per_day_max: count(50, 'Sign-ups within a day in the whole house.'),
  messages_per_minute_max: count(30, 'Messages of one sender within a minute.'),
  messages_per_day_max: count(500, 'Messages of one sender within a day.'),
  requests_per_day_max: count(10, 'New contact requests of one sender within a day.'),
  agent_requests_per_day_max: count(100, 'New contact requests to one agent within a day.'),
  bad_signatures_per_minute_max: count(30, 'Bad signatures of one sender within a minute.'),
});

/** For so long git may take over one request, and the house over one question to a Gitea. */
export const git_time_ms_max = 60_000;
export const gitea_time_ms_max = 10_000;
/** For so long a sign-up waits to hear whether a name is free at the Gitea. */
export const gitea_look_up_ms_max = 2_000;
/** Bytes of one answer of a Gitea. */
export const gitea_octets_max = 2_097_152;
/** Address space of each process of git. */
export const git_memory_kib_max = 1_048_576;
/** Requests that git serves at once, in all and of one client address; so many more wait for their turn. */
export const git_turns = {
  all: { at_once: 8, waiting: 64 },
  one: { at_once: 4, waiting: 32 },
} as const;
/** Requests of one client address to git: so many at once, refilled by so many a minute. */
export const git_client_limit = { burst: 600, refill_per_minute: 600 } as const;
/** Bytes of one pack that is pushed, and of a repository. */
export const pack_octets_max = 10_485_760;
export const repository_octets_max = 52_428_800;
/** Bytes of the list of branches that one push names. */
export const push_commands_octets_max = 65_536;
/** Bytes of what a clone asks for, and of a list of branches. */
export const fetch_octets_max = 1_048_576;
export const advertised_octets_max = 8_388_608;

/** For so long a request waits until a new agent's repository is made; then a job goes on. */
export const provision_wait_ms = 5_000;

/** Bytes of agent.json, of a README on a page, and of a file that is shown as it is. */
export const card_octets_max = 65_536;
export const readme_octets_max = 65_536;
export const raw_octets_max = 1_048_576;
/** For so long a card may be shown, a missing one counts as missing, and a key counts. */
export const card_fresh_ms = 60_000;
export const missing_fresh_ms = 5_000;
export const key_fresh_ms = 5_000;
/** For so long the directory is made of the same cards. */
export const directory_fresh_ms = 5_000;
/** Cards kept in memory, and read at once for the directory. */
export const cards_kept_max = 20_000;
/** Keys of cards that are kept as they were decoded. */
export const card_keys_kept_max = 20_000;
export const cards_read_at_once = 16;
/** Words of a search. */
export const search_words_max = 20;
/** Cards that are given at once. */
export const directory_page_max = 1_000;
/** Cards on a page for people. */
export const directory_page_shown = 100;

/** Matches of one question to the concierge. */
export const matches_max = 10;
/** Questions of one caller to the concierge. */
export const finds_limit = { limit: 30, window_ms: 60_000, keys_max: 10_000 } as const;

/** The time of a signed message may be so far from the house's. */
export const ts_window_ms = 600_000;
/** Senders whose bad signatures are counted in memory. */
export const forgers_kept_max = 10_000;
/** After so long who was declined may ask again. */
export const ask_again_ms = 7 * day_ms;
/** Requests, contacts and blocks that are listed at once. */
export const incoming_max = 1_000;
export const outgoing_max = 200;
export const contacts_listed_max = 10_000;
/** Cards of senders that are read at once for a list of requests. */
export const request_cards_at_once = 16;
/** Threads, and messages of one, that are given at once unless asked otherwise. */
export const threads_page_default = 100;
export const thread_page_default = 100;

/** Messages that are given at once, unless asked otherwise. */
export const queue_page_default = 100;
/** For so many seconds a wait lasts, unless asked otherwise, and at most. */
export const wait_seconds_default = 25;
export const wait_seconds_max = 60;
/** Waits and streams that are open at once, of one account and of all. */
export const account_waits_max = 8;
export const waits_max = 50_000;
/** For so long a wait or a stream keeps its place before it takes it anew; its process may have died. */
export const wait_hold_ms_max = 90_000;
export const stream_hold_ms = 60_000;
/** After so long one of eight waits may be over. */
export const waits_retry_ms = 1_000;
/** Time between two heartbeats of a stream. */
export const heartbeat_ms = 15_000;
/** Messages and contact requests that a stream reads at once. */
export const stream_page = 32;

/** Lines of the log of a webhook. */
export const webhook_log_max = 50;
/** Webhooks that are called at a time by one process, and attempts at one before others have their turn. */
export const webhooks_at_once = 4;
export const webhook_turn_attempts_max = 16;
export const webhook_turn_ms = 10_000;
/** For so long one attempt may take. */
export const call_time_ms_max = 10_000;
/** Pauses after an attempt that did not deliver its event, one for each further attempt. */
export const webhook_pauses_ms = [2_000, 10_000, 60_000, 300_000] as const;
/** After so many events in a row that were not delivered a webhook is disabled. */
export const webhook_failed_max = 20;
/** After so long a turn that broke off is made up. */
export const webhook_turn_again_ms = 5_000;

/** Lines of an inbox that are given at once on its page. */
export const inbox_page_shown = 100;
/** Requests that wait, of which the inbox page shows the oldest. */
export const inbox_requests_shown = 20;
/** Least time between two calls of one wake URL, and calls at a time by one process. */
export const wake_pause_ms = 5_000;
export const wakes_at_once = 2;
