import { unauthorized } from '../accounts/identify.ts';
import type { Reader } from '../caller.ts';
import type { Audience } from '../tables.ts';
import { readableAudiences } from './may-read.ts';

/** The audiences that a reader asks for, all of its own if it names none; refuses one that needs a token. */
export function audiencesAsked(
  { account }: Reader,
  asked: Audience | undefined,
): readonly Audience[] {
  const readable = readableAudiences(account);
  if (asked === undefined) return readable;
  // An empty list would be a lie (D-FORUM-10).
  if (!readable.includes(asked)) throw unauthorized();
  return [asked];
}
