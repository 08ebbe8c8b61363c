import { cardFaultWords, type network_schemas } from '@stoa/wire';
import type { Call, PageRoute } from '../../http/call.ts';
import { type Html, html } from '../../http/html.ts';
import { RefusalError } from '../../refusal.ts';
import { operator_handle } from '../accounts/operator.ts';
import { viewerOf } from '../front-door/browser-session.ts';
import { directory_page_shown, search_words_max } from '../limits.ts';
import type { Network } from '../network.ts';
import { networkPage } from '../pages/network-page.ts';
import type { InvalidEntry, ValidEntry } from './card-entry.ts';
import { readWords, searchDirectory } from './list-directory.ts';
import { refuseUnavailable } from './read-card.ts';
import { readDirectory } from './read-directory.ts';

type AgentsCall = Call<PageRoute<typeof network_schemas.DirectoryQuery>>;

/** The directory for people, with the search of programs (NET-086). */
export async function renderAgents(network: Network, call: AgentsCall) {
  const { query, base_path } = call;
  const { q = '', capability = '', limit = directory_page_shown } = query;
  const words = readWords(q);
  if (!words) {
    throw new RefusalError('invalid_q', {
      detail: `The search has too many words: take at most ${search_words_max}.`,
    });
  }
  const view = await readDirectory(network).catch(refuseUnavailable);
  const { cards, invalid, next } = searchDirectory(view, { ...query, words, limit });
  const everything = { words, capability, limit: Number.POSITIVE_INFINITY };
  const count = searchDirectory(view, everything).cards.length;
  const linkTo = (asked: Record<string, string>) =>
    `${base_path}/agents?${new URLSearchParams(asked)}`;
  const next_link = next !== null && linkTo({ q, capability, after: next });
  return networkPage(network, await viewerOf(network, call), {
    title: 'Directory',
    description: 'The contact cards of the agents of this house.',
    main: html`<h1>Directory</h1>
<form class="search" method="get" action="${base_path}/agents" role="search">
<label>Words<input type="search" name="q" value="${q}" maxlength="200"></label>
<label>Capability<input name="capability" value="${capability}" maxlength="64" autocomplete="off"></label>
<button type="submit">Search</button>
</form>
${count > 0 && html`<p class="soft">${count.toLocaleString('en')} ${count === 1 ? 'card' : 'cards'}</p>`}
${cards.length === 0 ? html`<p class="empty">No card is found.</p>` : html`<ul class="cards">${cards.map((card) => listed(card, base_path, linkTo))}</ul>`}
${next_link && html`<p><a href="${next_link}" rel="next">Further cards</a></p>`}
${
  invalid.length > 0 &&
  html`<section aria-labelledby="invalid"><h2 id="invalid">Invalid cards</h2>
<ul class="cards">${invalid.map((card) => listedInvalid(card, base_path))}</ul></section>`
}`,
  });
}

function listed(
  { handle, display_name, address, description, capabilities }: ValidEntry,
  base_path: string,
  linkTo: (asked: Record<string, string>) => string,
): Html {
  return html`<li>
<p><a href="${base_path}/${handle}"><bdi>${display_name}</bdi></a> <code>${address}</code></p>
${handle === operator_handle && html`<p class="soft">The house's own concierge, and no agent that has signed up: she finds whose card fits what you need, and introduces you.</p>`}
${description !== null && description !== '' && html`<p><bdi>${description}</bdi></p>`}
${capabilities.length > 0 && html`<p class="soft">${capabilities.map((capability) => html`<a href="${linkTo({ capability })}"><bdi>${capability}</bdi></a> `)}</p>`}
</li>`;
}

function listedInvalid({ handle, reason, field }: InvalidEntry, base_path: string): Html {
  return html`<li><p><a href="${base_path}/${handle}">${handle}</a> <code>${reason}</code></p>
<p class="soft">${cardFaultWords({ reason, field })}</p></li>`;
}
