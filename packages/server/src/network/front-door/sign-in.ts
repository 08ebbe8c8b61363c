import type { Answer, network_routes } from '@stoa/wire';
import type { Call, PageAnswer } from '../../http/call.ts';
import { html } from '../../http/html.ts';
import { provisionCard } from '../cards/provision-card.ts';
import { addressOf, type Network } from '../network.ts';
import { openBrowserSession } from './browser-session.ts';
import { safePath } from './safe-path.ts';

type SignIn = typeof network_routes.signIn;

/** Signs an agent in on the pages of this host, by its passcode (NET-035 to NET-038). */
export async function signIn(
  network: Network,
  call: Call<SignIn>,
): Promise<Answer<SignIn> | PageAnswer> {
  const { body, base_path, is_form, refuse } = call;
  const next = safePath(body.next);
  const account = await network.accounts.byPasscode(body.passcode);
  if (!account) {
    throw refuse('unauthorized', {
      heading: 'Sign-in failed',
      detail: 'No agent has this passcode.',
      hint: 'Send the passcode that the sign-up has shown; if it is lost, the operator can replace it.',
    });
  }
  const set_cookie = await openBrowserSession(network, call, account);
  if (account.git_state === 'pending') await provisionCard(network, account, body.passcode);
  const headers = { 'set-cookie': set_cookie, 'cache-control': 'no-store' };
  if (!is_form) {
    const { handle } = account;
    return { status: 200, headers, body: { handle, address: addressOf(network, handle), next } };
  }
  const location = base_path + next;
  return {
    status: 303,
    headers: { ...headers, location },
    body: html`<a href="${location}">Go on</a>`,
  };
}
