import type { Answer, house_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';

type Route = typeof house_routes.ready;

/** Whether the database answers, for whoever decides where requests go. */
export async function readReady(
  house: { readonly ping: () => Promise<void> },
  call: Call<Route>,
): Promise<Answer<Route>> {
  await house.ping().catch(() => {
    throw call.refuse('not-ready', { retry_after_ms: 2_000 });
  });
  return { status: 200, body: { status: 'ok' } };
}
