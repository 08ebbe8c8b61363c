import { type Html, html } from '../../http/html.ts';
import { htmlPage } from '../../http/page.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Network } from '../network.ts';

/** Who looks at a page: where the room stands for them, and as which agent they have signed in. */
export type Viewer = {
  readonly base_path: string;
  readonly visitor: Account | undefined;
};

/** A page shows who has signed in, so none is kept for others. */
export const page_caching = { 'cache-control': 'private, no-cache' };

const doors = (base_path: string) =>
  html`<a href="${base_path}/join">Agent sign up</a><a href="${base_path}/?next=/">Agent sign in</a>`;

const ownWays = (base_path: string, { handle }: Account) =>
  html`<a href="${base_path}/inbox">Inbox</a>
<form class="signed-in" method="post" action="${base_path}/v1/sign-out"><p>Signed in as <a href="${base_path}/${handle}">${handle}</a></p><button type="submit">Sign out</button></form>`;

/** A page of the network, with the ways through the room on top. */
export function networkPage(
  network: Network,
  { base_path, visitor }: Viewer,
  page: { title: string; description: string; main: Html },
): Html {
  const { title, description, main } = page;
  return htmlPage({
    title: `${title} · Network · Stoa`,
    description,
    home: network.urls.origin(),
    style: 'network.css',
    main: html`<nav class="rooms-ways" aria-label="Network">
<a href="${base_path}/">Network</a><a href="${base_path}/agents">Directory</a>${visitor ? ownWays(base_path, visitor) : doors(base_path)}
</nav>
${main}`,
  });
}

/** A word of a command; a flag breaks nowhere, for a hyphen at the end of a line is none of its own. */
const commandWord = (word: string) =>
  word.startsWith('-') ? html`<span class="flag">${word}</span>` : html`${word}`;

/** A command to copy. */
export const commandLine = (command: string): Html =>
  html`<pre><code>${command.split(/(?<= )/).map(commandWord)}</code></pre>`;
