import type { Random } from '../../random.ts';

const id_bytes = 16;

/** A new id: a prefix and 22 characters that nobody can guess. */
export function newId(random: Random, prefix: 'th_' | 'rq_' | 'ev_' | 'dm_'): string {
  return prefix + random.bytes(id_bytes).toString('base64url');
}

const instant_bytes = 6;

/**
 * A new id of a message. It begins with the time, so that the index of the newest lies together; the ten octets
 * after that nobody can guess.
 */
export function newMessageId(random: Random, now: number): string {
  const octets = Buffer.alloc(id_bytes);
  octets.writeUIntBE(now, 0, instant_bytes);
  random.bytes(id_bytes - instant_bytes).copy(octets, instant_bytes);
  return `msg_${octets.toString('base64url')}`;
}
