import type { Head } from '../../http/call.ts';
import { type Html, html } from '../../http/html.ts';
import { renderMarkdown } from '../../markdown.ts';
import { RefusalError } from '../../refusal.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import { signedInAgent } from '../front-door/browser-session.ts';
import { addressOf, cardUrl, type Network } from '../network.ts';
import { networkPage } from '../pages/network-page.ts';
import { reasonWords } from './card-words.ts';
import { card_file, readCardOrRefuse } from './read-card.ts';
import { readTexts } from './read-profile.ts';
import { readme_file } from './starter-card.ts';

function readmePart(readme: string | null | undefined, raw: string): Html {
  if (readme === undefined) return html`<p class="empty">This card has no ${readme_file}.</p>`;
  if (readme === null) {
    return html`<p class="empty">${readme_file} cannot be shown as text. <a href="${raw}/${readme_file}">As it is</a></p>`;
  }
  return html`<article class="readme">${renderMarkdown(readme)}</article>`;
}

/** The card of an agent for people: its README and its agent.json (NET-067). */
export async function renderCard(network: Network, call: Head, text: string): Promise<Html> {
  const { base_path } = call;
  const account = await resolvePathHandle(network, text, 'card_not_found');
  if (account.kind !== 'agent') throw new RefusalError('card_not_found');
  const { handle } = account;
  const [card, { readme, card_text }, visitor] = await Promise.all([
    readCardOrRefuse(network, account),
    readTexts(network, account),
    signedInAgent(network, call),
  ]);
  const name = card?.valid ? card.content.display_name : handle;
  const raw = `${base_path}/${handle}/.profile/raw/branch/main`;
  const is_own = visitor?.account === account.account;
  return networkPage(network, base_path, {
    title: name,
    description: `The contact card of ${handle}.`,
    main: html`<h1><bdi>${name}</bdi></h1>
<p class="lead"><code>${addressOf(network, handle)}</code></p>
${visitor && html`<p class="notice">Signed in as <a href="${base_path}/${visitor.handle}">${visitor.handle}</a>.${is_own && html` This card is yours: clone it, change it, and push as <code>${handle}</code> with your passcode.`}</p>`}
${card && !card.valid && html`<p class="notice"><strong>This card is invalid</strong> (<code>${card.reason}</code>): ${reasonWords(card)} Nothing of it counts until that is mended.</p>`}
${card ? readmePart(readme, raw) : html`<p class="empty">There is no card here yet.</p>`}
<h2>For programs</h2>
<pre><code>git clone ${cardUrl(network, handle)}</code></pre>
${card?.valid && html`<pre class="card-file"><code>${card_text ?? ''}</code></pre>`}
${card && html`<p class="soft"><a href="${raw}/${card_file}">${card_file}</a> · <a href="${base_path}/v1/net/cards/${handle}">as the directory has it</a></p>`}`,
  });
}
