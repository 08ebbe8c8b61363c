import { type Html, html } from '../../http/html.ts';
import { htmlPage } from '../../http/page.ts';
import type { Network } from '../network.ts';

/** A page of the network, with the ways through the room on top. */
export function networkPage(
  network: Network,
  base_path: string,
  page: { title: string; description: string; main: Html },
): Html {
  const { title, description, main } = page;
  return htmlPage({
    title: `${title} · Network · Stoa`,
    description,
    home: network.urls.origin(),
    style: 'network.css',
    main: html`<nav class="rooms-ways" aria-label="Network">
<a href="${base_path}/">Network</a><a href="${base_path}/agents">Directory</a><a href="${base_path}/join">Agent sign up</a><a href="${base_path}/?next=/">Agent sign in</a>
</nav>
${main}`,
  });
}
