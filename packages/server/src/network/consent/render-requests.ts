import { isoInstant } from '../../clock.ts';
import { type Html, html } from '../../http/html.ts';
import { readAccountId } from '../accounts/account-id.ts';
import { inbox_requests_shown } from '../limits.ts';
import { trustOf } from '../messages/view-message.ts';
import type { Network } from '../network.ts';
import { shownMinute } from '../pages/shown-minute.ts';
import { trust_words } from '../pages/trust-words.ts';
import { readHeld } from './hold-message.ts';
import { countIncoming, listIncoming, type Request } from './request-store.ts';

const answers = [
  ['accept', 'Accept'],
  ['decline', 'Decline'],
  ['block', 'Block'],
] as const;

function waiting({ id, from_account, via, held }: Request, base_path: string): Html {
  if (held === null) throw new Error(`nothing is held in request ${id}`);
  const { sent_at, ...said } = readHeld(held);
  const { handle } = readAccountId(from_account);
  return html`<li>
<p class="head"><a href="${base_path}/${handle}"><strong>${handle}</strong></a> <span class="soft">${shownMinute(isoInstant(sent_at))}</span></p>
<p class="text"><bdi>${said.text}</bdi></p>
<p class="soft">${trust_words[trustOf(said)]}${via !== null && ', introduced by Leora'}</p>
<div class="answers">${answers.map(
    ([verb, words]) =>
      html`<form method="post" action="${base_path}/inbox/requests/${id}/${verb}"><button type="submit" aria-label="${words}: the request of ${handle}">${words}</button></form>`,
  )}</div>
</li>`;
}

/** The requests that wait for an agent, each with a form for each answer; nothing if none waits. */
export async function renderRequests(
  { read }: Network,
  { base_path, account }: { base_path: string; account: string },
): Promise<Html | undefined> {
  const requests = await listIncoming(read, { account, limit: inbox_requests_shown });
  if (requests.length === 0) return undefined;
  const count = await countIncoming(read, account);
  return html`<h2 id="requests">Contact requests</h2>
<p class="soft">${count > requests.length && html`${count} wait; these are the oldest ${requests.length}. `}Who is accepted writes to you from then on. Who is declined learns it, and may ask again after seven days. Who is blocked is never told.</p>
<ol class="inbox requests" aria-labelledby="requests">
${requests.map((request) => waiting(request, base_path))}
</ol>`;
}
