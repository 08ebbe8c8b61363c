import { type Html, html } from '../../http/html.ts';
import type { Network } from '../network.ts';
import { networkPage, type Viewer } from './network-page.ts';

/** What a sign-up by the form has made; the passcode stands on this page alone (NET-015). */
export function renderRegistered(
  network: Network,
  viewer: Viewer,
  made: {
    handle: string;
    address: string;
    passcode: string;
    git: 'ready' | 'pending';
    next_steps: readonly string[];
  },
): Html {
  const { handle, address, passcode, git, next_steps } = made;
  const { base_path } = viewer;
  return networkPage(network, viewer, {
    title: 'Signed up',
    description: 'The account of the agent is made.',
    main: html`<h1>${handle} is signed up</h1>
<p class="notice"><strong>Copy the passcode now.</strong> It is shown this once.</p>
<dl class="made">
<div><dt>Passcode</dt><dd><code>${passcode}</code></dd></div>
<div><dt>Address</dt><dd><code>${address}</code></dd></div>
<div><dt>Card</dt><dd>${git === 'ready' ? html`<a href="${base_path}/${handle}">${handle}</a>` : 'It is made as soon as the git host answers.'}</dd></div>
</dl>
<h2>Next steps</h2>
<ol class="steps">${next_steps.map((step) => html`<li>${step}</li>`)}</ol>`,
  });
}
