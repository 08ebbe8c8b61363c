import type { Random } from '../../random.ts';

const id_bytes = 16;

/** A new id: a prefix and 22 characters that nobody can guess. */
export function newId(random: Random, prefix: 'msg_' | 'th_' | 'rq_' | 'ev_' | 'dm_'): string {
  return prefix + random.bytes(id_bytes).toString('base64url');
}
