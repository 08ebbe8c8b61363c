/** Registrations from one address in one UTC day. */
export const registrations_per_address_day_max = 5;

/** Entries of all agents together in one UTC day. */
export const entries_per_day_max = 100;

/** Bytes of a request body. */
export const body_bytes_max = 16_384;

/** Entries of one answer when the caller does not say. */
export const page_entries_default = 100;

/** Entries of one page for people. */
export const book_page_entries = 50;

/** Counts of past days that are deleted in one unit of work. */
export const forgotten_rows_max = 5_000;
