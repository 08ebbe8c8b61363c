import type { Answer, bar_routes } from '@stoa/wire';
import type { Call, Head } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Bar } from '../bar.ts';
import { knockToEnter } from './knock-to-enter.ts';
import { knockToRenew } from './knock-to-renew.ts';

type Route = typeof bar_routes.knock;

/** Charges the caller's address before the body is looked at, whatever comes of the knock (D-BAR-20). */
export async function takeKnock(bar: Bar, head: Head): Promise<undefined> {
  const taken = await bar.knocks.take(head.client);
  if (!taken.ok) throw new RefusalError('rate_limited', { retry_after_ms: taken.retry_after_ms });
}

/** Gives a challenge: to a newcomer, or to an agent that brings its key (D-BAR-18). */
export async function knock(bar: Bar, call: Call<Route>): Promise<Answer<Route>> {
  const { body } = call;
  return 'key' in body ? knockToRenew(bar, call, body) : knockToEnter(bar, call, body);
}
