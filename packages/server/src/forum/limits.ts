/** Bytes of a request body. */
export const body_bytes_max = 32_768;

/** Arrays and objects in each other in a body. */
export const json_levels_max = 64;

const kb = 1_024;
const mb = 1_048_576;

/** Storage of an account by its tier, in bytes (D-FORUM-28). */
export const quota_bytes = { guest: 256 * kb, full: 10 * mb } as const;

/** Requests to the room from one network address (D-FORUM-70). */
export const network_requests = { limit: 180, window_ms: 60_000 } as const;

/** Writes of one account. */
export const writes = { limit: 30, window_ms: 60_000 } as const;

/** Accounts of which is kept in memory what lets them in, and what they store. */
export const accounts_kept_max = 50_000;

/** Threads of which is kept in memory who may reply to them. */
export const threads_kept_max = 10_000;

/** Addresses and accounts whose minute windows are kept in memory. */
export const limited_keys_max = 100_000;

/** Passphrases that are checked or set at once, and that wait for it (D-FORUM-50). */
export const passphrases_at_once_max = 2;
export const passphrase_waiters_max = 16;

/** Reports of one account (D-FORUM-71). */
export const reports_made = { name: 'reports', limit: 5, window_ms: 3_600_000 } as const;

/** Reports of a page, and replies of a post that staff look at. */
export const staff_page_max = 50;

/** Reports and entries of the audit trail that are shown beside a post; of the reports fewer in lists. */
export const beside_post_max = 50;
export const reports_beside_listed_max = 5;

/** For so long after its report was resolved a copy is kept, and so often the old ones are erased. */
export const snapshot_kept_s = 90 * 86_400;
export const snapshot_sweep_ms = 3_600_000;

/** For so long an answer is kept for who repeats its request with the same key. */
export const kept_answer_ms = 86_400_000;

/** So often what is over is swept: kept answers, challenges. */
export const sweep_ms = 60_000;

/** Posts and replies of one account, counted from their rows (D-FORUM-71). */
export const posts_made = { name: 'posts', limit: 10, window_ms: 600_000 } as const;

/** Roots of a page, and the replies that come with one post. */
export const roots_page = { default: 30, max: 50 } as const;
export const replies_page_max = 50;

/** Accounts that one post can mention (D-FORUM-36). */
export const mentions_max = 20;

/** Entries of the activity log that one digest looks at (D-FORUM-53). */
export const digest_entries_max = 200;

/** Posts that an export reads at a time. */
export const export_posts_page = 100;

/** Exports of one account at once, and of all; one whose process died is forgotten in time (D-FORUM-55). */
export const exports_running = {
  name: 'export_running',
  key_places_max: 1,
  places_max: 64,
  hold_max_ms: 600_000,
  /** What a second one is told to wait. */
  retry_after_ms: 5_000,
} as const;

/** Words of a query, and results of one search (D-FORUM-59, D-FORUM-60). */
export const query_words_max = 16;
export const results_page = { default: 20, max: 30 } as const;

/** Of more posts that match a query, the newest ones are ranked. */
export const candidates_max = 500;

/** Candidates that are ranked before others have their turn: long ones take many words a while. */
export const ranked_at_once = 32;

/** Posts that are counted to see how rare a word is. */
export const rarity_posts_max = 4_000;

/** Characters of a snippet. */
export const snippet_chars_max = 200;

/** Notes of an account by its tier (D-FORUM-47). */
export const notes_max = { guest: 200, full: 5_000 } as const;

/** Notes of a list, unless it asks for fewer or more. */
export const notes_page_default = 100;

/** Notes that are opened before others have their turn: heads, and whole ones. */
export const opened_heads_at_once = 500;
export const opened_texts_at_once = 64;

/** Recoveries that are tried, by network address and by handle (D-FORUM-52). */
export const recoveries_of_address = {
  name: 'recovery_address',
  limit: 5,
  window_ms: 3_600_000,
} as const;
export const recoveries_of_handle = {
  name: 'recovery_handle',
  limit: 10,
  window_ms: 86_400_000,
} as const;

/** Of the policy that the owner publishes. */
export const policy_text_bytes_max = 65_536;

/** Threads of the front page, replies of a thread's page, threads that search engines are told of. */
export const front_threads_max = 30;
export const page_replies_max = 50;
export const sitemap_threads_max = 1_000;

/** For so long a link for the owner's signing in may be used, a session lasts, and lasts while nothing is done. */
export const owner_link_s = 600;
export const session_s = 43_200;
export const session_idle_s = 3_600;

/** Of a form of the console; a policy is the longest of them. */
export const form_bytes_max = 262_144;

/** Accounts, reports and entries of a page of the console. */
export const console_page_max = 50;

/** The most that the owner gives to one account. */
export const quota_bytes_max = 1_099_511_627_776;

/** So often the host is measured, and so many of its measures are kept, the last hours. */
export const measure_every_ms = 60_000;
export const measures_max = 180;

/** So often guests whose time is over are deleted; it is done within ten seconds (D-FORUM-26). */
export const guest_sweep_ms = 5_000;

/** When to ask again for what this house does not have: it takes another release of it. */
export const not_built_retry_ms = 86_400_000;

/** A challenge can be used for so many seconds. */
export const challenge_seconds = 120;
export const difficulty_bits = { guest: 12, full: 18 } as const;

/** Challenges that can be used at once, in the whole service (D-FORUM-21). */
export const live_challenges_max = 100;

const hour_ms = 3_600_000;
/** Challenges issued to one network address, and in the whole service; completions that one address tries. */
export const challenges_of_address = { name: 'challenges', limit: 6, window_ms: hour_ms } as const;
export const challenges_of_service = {
  name: 'challenges_service',
  limit: 300,
  window_ms: hour_ms,
} as const;
export const completions_of_address = {
  name: 'completions',
  limit: 6,
  window_ms: hour_ms,
} as const;

/** A guest lives for so many seconds after its creation. */
export const guest_seconds = 604_800;

/** For so long nobody gets the handle of a guest that is gone. */
export const guest_handle_kept_s = 30 * 86_400;

/** A process tells in this rhythm that it lives while it has challenges open, and is believed for so long (D-FORUM-20). */
export const heartbeat_ms = 5_000;
export const heartbeat_believed_ms = 15_000;

/** When to ask again while registration is paused. */
export const paused_retry_ms = 600_000;
