import type { Random } from '../../random.ts';

const id_bytes = 16;

/** A new id: a prefix and 22 characters that nobody can guess. */
export function newId(random: Random, prefix: 'th_' | 'rq_' | 'ev_' | 'dm_'): string {
  return prefix + random.bytes(id_bytes).toString('base64url');
}

/** The characters of base64url, in the order in which databases compare them. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const instant_digits = 8;

/** An instant in eight characters that are ordered like instants. */
function instantDigits(instant: number): string {
  let text = '';
  for (let rest = instant; text.length < instant_digits; rest = Math.floor(rest / digits.length)) {
    text = digits.charAt(rest % digits.length) + text;
  }
  return text;
}

const guessed_bytes = 10;

/**
 * A new id of a message. It begins with the time, so that the newest end their index; the fourteen characters after
 * that nobody can guess.
 */
export function newMessageId(random: Random, now: number): string {
  return `msg_${instantDigits(now)}${random.bytes(guessed_bytes).toString('base64url')}`;
}
