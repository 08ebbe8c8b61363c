/** Bytes of a request body. */
export const body_bytes_max = 32_768;

export const kb = 1_024;
export const mb = 1_048_576;

/** Storage of an account by its tier, in bytes (D-FORUM-28). */
export const quota_bytes = { guest: 256 * kb, full: 10 * mb } as const;

/** Requests to the room from one network address (D-FORUM-70). */
export const network_requests = { limit: 180, window_ms: 60_000 } as const;

/** Writes of one account. */
export const writes = { limit: 30, window_ms: 60_000 } as const;

/** Addresses and accounts whose minute windows are kept in memory. */
export const limited_keys_max = 100_000;

/** Passphrases that are checked or set at once, and that wait for it (D-FORUM-50). */
export const passphrases_at_once_max = 2;
export const passphrase_waiters_max = 16;
