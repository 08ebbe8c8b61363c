import type { Answer, network_routes } from '@stoa/wire';
import type { Call, PageAnswer } from '../../http/call.ts';
import { html } from '../../http/html.ts';
import type { Network } from '../network.ts';
import { endBrowserSession } from './browser-session.ts';

type SignOut = typeof network_routes.signOut;

/** Ends an agent's sign-in on pages, whether there is one or not. */
export async function signOut(
  network: Network,
  call: Call<SignOut>,
): Promise<Answer<SignOut> | PageAnswer> {
  const headers = { 'set-cookie': await endBrowserSession(network, call) };
  if (!call.is_form) return { status: 200, headers, body: { signed_out: true } };
  const location = `${call.base_path}/`;
  return {
    status: 303,
    headers: { ...headers, location },
    body: html`<a href="${location}">Go on</a>`,
  };
}
