import { RefusalError } from '../../refusal.ts';
import type { Network } from '../network.ts';

/** What is no attempt at somebody's account. */
const not_counted = new Set(['rate_limited', 'key_check_unavailable']);

/**
 * Runs an attempt at Sigil of a client address, unless too many of it were refused within the last minute.
 * By account it would lock the owner out (D-NET-14).
 */
export async function countingRefusals<T>(
  { sigil_refusals }: Network,
  client: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const taken = await sigil_refusals.look(client);
  if (!taken.ok) throw new RefusalError('rate_limited', { retry_after_ms: taken.retry_after_ms });
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof RefusalError && !not_counted.has(error.code)) {
      await sigil_refusals.count(client);
    }
    throw error;
  }
}
