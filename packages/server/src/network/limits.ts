import { Type } from 'typebox';

/** Bytes of a request body. */
export const body_bytes_max = 16_384;

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

/** The protocol's own limits, which `[network.limits]` may change (D-NET-80). */
export const limits_schema = Type.Object({
  signups_per_hour_max: count(3, 'Sign-ups within an hour from one client address.'),
  signups_per_day_max: count(10, 'Sign-ups within a day from one client address.'),
  house_signups_per_day_max: count(50, 'Sign-ups within a day in the whole house.'),
});

/** For so long git may take over one request, and the house over one question to a Gitea. */
export const git_time_ms_max = 60_000;
export const gitea_time_ms_max = 10_000;
/** Bytes of one answer of a Gitea. */
export const gitea_octets_max = 2_097_152;
/** Address space of each process of git. */
export const git_memory_kib_max = 1_048_576;
/** Requests that git serves at once; so many more wait for their turn. */
export const git_requests_max = 8;
export const git_waiting_max = 64;
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
