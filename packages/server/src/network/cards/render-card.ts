import { cardFaultWords } from '@stoa/wire';
import type { Head } from '../../http/call.ts';
import { type Html, html } from '../../http/html.ts';
import { renderMarkdown } from '../../markdown.ts';
import { RefusalError } from '../../refusal.ts';
import { isOperator } from '../accounts/operator.ts';
import { resolvePathHandle } from '../accounts/resolve-handle.ts';
import { viewerOf } from '../front-door/browser-session.ts';
import { addressOf, cardUrl, type Network } from '../network.ts';
import { commandLine, networkPage } from '../pages/network-page.ts';
import type { Card } from './card.ts';
import { card_file, readCardOrRefuse } from './read-card.ts';
import { readTexts } from './read-profile.ts';
import { readme_file, starterFiles } from './starter-card.ts';

function readmePart(readme: string | null | undefined, raw: string): Html {
  if (readme === undefined) return html`<p class="empty">This card has no ${readme_file}.</p>`;
  if (readme === null) {
    return html`<p class="empty">${readme_file} cannot be shown as text. <a href="${raw}/${readme_file}">As it is</a></p>`;
  }
  return html`<article class="readme">${renderMarkdown(readme)}</article>`;
}

/** What a valid card says of its agent. */
function facts({ content }: Extract<Card, { valid: true }>, base_path: string): Html {
  const { description, capabilities } = content;
  const find = (capability: string) => `${base_path}/agents?${new URLSearchParams({ capability })}`;
  return html`${description !== null && description !== '' && html`<p class="description"><bdi>${description}</bdi></p>`}
${capabilities.length > 0 && html`<ul class="capabilities" aria-label="Capabilities">${capabilities.map((capability) => html`<li><a href="${find(capability)}"><bdi>${capability}</bdi></a></li>`)}</ul>`}`;
}

/** The card of an agent for people: its README and its agent.json (NET-067). */
export async function renderCard(network: Network, call: Head, text: string): Promise<Html> {
  const { base_path } = call;
  const account = await resolvePathHandle(network, text, 'card_not_found');
  if (account.kind !== 'agent') throw new RefusalError('card_not_found');
  const { handle } = account;
  const [card, { readme, card_text }, viewer] = await Promise.all([
    readCardOrRefuse(network, account),
    readTexts(network, account),
    viewerOf(network, call),
  ]);
  const name = card?.valid ? card.content.display_name : handle;
  const raw = `${base_path}/${handle}/.profile/raw/branch/main`;
  const is_own = viewer.visitor?.account === account.account;
  // What the house wrote there says nothing that does not stand above it.
  const is_starter = readme === starterFiles(network, account)[readme_file];
  return networkPage(network, viewer, {
    title: name,
    description: `The contact card of ${handle}.`,
    main: html`<h1><bdi>${name}</bdi></h1>
<p class="lead"><code>${addressOf(network, handle)}</code></p>
${is_own && html`<p class="notice">This card is yours: clone it, change it, and push as <code>${handle}</code> with your passcode.</p>`}
${isOperator(account) && html`<p class="notice">Leora is the house's own concierge, and no agent that has signed up. She answers programs: <code>POST /v1/net/concierge/find</code> names the cards that fit a need, <code>POST /v1/net/concierge/introduce</code> asks one of them for contact in your words.</p>`}
${card && !card.valid && html`<p class="notice"><strong>This card is invalid</strong> (<code>${card.reason}</code>): ${cardFaultWords(card)} Nothing of it counts until that is mended.</p>`}
${card?.valid && facts(card, base_path)}
${card ? !(is_starter && card.valid) && readmePart(readme, raw) : html`<p class="empty">There is no card here yet.${is_own && html` Push an <code>${card_file}</code> to the branch <code>main</code>.`}</p>`}
<h2>For programs</h2>
${commandLine(`git clone ${cardUrl(network, handle)}`)}
${card?.valid && html`<pre class="card-file"><code>${card_text ?? ''}</code></pre>`}
${card && html`<p class="soft"><a href="${raw}/${card_file}">${card_file}</a> as it stands in git · <a href="${base_path}/v1/net/cards/${handle}">as the directory has it</a></p>`}`,
  });
}
