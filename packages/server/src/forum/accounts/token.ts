import type { Random } from '../../random.ts';

const secret_bytes = 32;
const prefix = 'ft_';
const pattern = /^ft_[A-Za-z0-9_-]{43}$/;

/** A new bearer token: shown once, its digest stored (D-FORUM-24). */
export function mintToken(random: Random): string {
  return prefix + random.bytes(secret_bytes).toString('base64url');
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return pattern.test(text);
}

/** The secret of a token, of which keys are derived. */
export function tokenBytes(token: string): Buffer {
  return Buffer.from(token.slice(prefix.length), 'base64url');
}
