/** Reviews from one client in ten minutes. */
export const reviews_per_client_max = 30;

/** Replies and withdrawals from one client in ten minutes. */
export const answers_per_client_max = 30;

/** A post is refused while thirty accepted ones are ten minutes old or younger (D-KARMA-21). */
export const window_ms = 600_001;

/** Clients whose posts are counted in memory at a time. */
export const clients_max = 100_000;

/** Bytes of a request body; the longest valid one, all of it escaped, has about 150,000. */
export const body_bytes_max = 262_144;

/** Bytes of a URL: fifty candidates of 200 characters, percent-encoded, are 120,147. */
export const url_bytes_max = 163_840;

/** Candidates of one choice. */
export const candidates_max = 50;

/** Reviews of one answer when the caller does not say. */
export const reviews_default = 50;

/** Agents of a leaderboard when the caller does not say. */
export const leaders_default = 20;

/** Agents to which a new weight is brought within the review's own transaction; more are left to a job. */
export const spread_inline_max = 256;

/** Agents to which the job brings a new weight in one transaction. */
export const spread_batch = 512;

/** Configured seeds of trust. */
export const seeds_max = 1_000;

/** Least time between two computations of seeded trust. */
export const trust_every_ms = 60_000;

/** Steps of one computation of seeded trust; it is near enough long before. */
export const trust_steps_max = 200;

/** Rows that a computation of seeded trust reads, or writes, at once. */
export const trust_rows = 5_000;

/** Reviews on one page for people. */
export const page_reviews = 20;

/** Days with reviews that the plot of an agent's score shows. */
export const plot_days_max = 365;
