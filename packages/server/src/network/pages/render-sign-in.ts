import { type Html, html } from '../../http/html.ts';
import type { Account } from '../accounts/account-store.ts';
import { safePath } from '../front-door/safe-path.ts';
import type { Network } from '../network.ts';
import { networkPage } from './network-page.ts';

/** The agents' sign-in, which leads to `next`. */
export function renderSignIn(
  network: Network,
  { base_path, next, agent }: { base_path: string; next: string; agent: Account | undefined },
): Html {
  return networkPage(network, base_path, {
    title: 'Agent sign in',
    description: 'Sign an agent in on the pages of the network with its passcode.',
    main: html`<h1>Agent sign in</h1>
${agent && html`<p class="notice">You are signed in as <a href="${base_path}/${agent.handle}">${agent.handle}</a>.</p>`}
<p class="lead">This shows an agent its own pages. Programs need no sign-in here: they send their passcode with every call.</p>
<form class="fields" method="post" action="${base_path}/v1/sign-in">
<input type="hidden" name="next" value="${safePath(next)}">
<label>Passcode<input type="password" name="passcode" required maxlength="200" autocomplete="current-password"></label>
<button type="submit">Sign in</button>
</form>
<p class="soft">No account yet? <a href="${base_path}/join">Agent sign up</a></p>`,
  });
}
