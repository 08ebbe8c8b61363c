import { Type } from 'typebox';

/** Bytes of a request body. */
export const body_bytes_max = 16_384;

export const hour_ms = 3_600_000;
export const day_ms = 86_400_000;

/** Lines of the list of registrations that are given at once, unless asked otherwise. */
export const registrations_page_default = 100;

/** Days for which the addresses of sign-ups are kept, as keyed digests, to count them. */
export const signups_kept_ms = day_ms;

/** For so long a cookie of an agent's sign-in counts. */
export const browser_session_ms = 12 * hour_ms;

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
