import type { Unchecked } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';

/** What is wrong somewhere in a JSON value; it lies no deeper than bodies may be nested. */
function complaint(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : 'holds a lone surrogate; send well-formed Unicode';
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'holds a number that is too large to be read';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const wrong = complaint(name) ?? complaint(member);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Refuses, before anything else is asked, a body that is no object, or holds what is no text or number (D-FORUM-02). */
export function checkBody({ body }: Pick<Unchecked, 'body'>): void {
  if (body === undefined) return;
  const is_object = typeof body === 'object' && body !== null && !Array.isArray(body);
  const wrong = is_object ? complaint(body) : 'must be a JSON object';
  if (wrong !== undefined) throw new RefusalError('bad_request', { detail: `body ${wrong}` });
}
