import { decodePublicKey, fingerprintOf, linkFault } from '@stoa/proof';
import { entryHash, postPayload } from '@stoa/proof/guestbook';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import type { Call, PageRoute } from '../http/call.ts';
import { type Html, html } from '../http/html.ts';
import { htmlPage } from '../http/page.ts';
import {
  guestbook_stream,
  hashDigits,
  type PublishedEntry,
  publishedEntries,
} from './entry-view.ts';
import { countAgents, isSuspended } from './guestbook-store.ts';
import { isSigned } from './is-signed.ts';
import { book_page_entries } from './limits.ts';
import { readHead } from './read-head.ts';

/** Digits of a fingerprint that stand beside a name (D-BOOK-08). */
const fingerprint_digits = 8;

export const BookQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'the number of a line; the lines before it are shown',
    }),
  ),
});

/** A line of the page, where it stands, and what is wrong with it, if anything. */
type CheckedEntry = {
  readonly position: number;
  readonly entry: PublishedEntry;
  readonly fault: string | undefined;
};

/**
 * What is wrong with an entry, computed anew and not taken from the database; undefined if it holds.
 * Of a hidden entry only its link to the one before can be checked.
 */
async function entryFault(
  deps: Deps,
  entry: PublishedEntry,
  place: { position: number; prev_hash: string },
): Promise<string | undefined> {
  const { position, prev_hash } = place;
  const is_hidden = 'hidden' in entry;
  if (entry.seq !== position) return 'it belongs to another place';
  const link = linkFault(
    { hash: entry.entryHash, prev_hash: entry.prevHash },
    { hash: is_hidden ? undefined : entryHash(entry), prev_hash },
  );
  if (link === 'hash') return 'it is not what was hashed';
  if (link === 'prev_hash') return 'it does not follow the line before';
  if (is_hidden) return undefined;
  const { publicKey: public_key, sig: signature } = entry;
  const is_signed = await isSigned(deps, { public_key, payload: postPayload(entry), signature });
  if (!is_signed) return 'its signature is not of its key';
  const decoded = decodePublicKey(public_key);
  const is_of_agent = 'key' in decoded && fingerprintOf(decoded.key) === entry.agent;
  return is_of_agent ? undefined : 'its key is not of this fingerprint';
}

/** At most a page of entries before `before`, the newest first, each checked. */
async function readPage(deps: Deps, before: number): Promise<CheckedEntry[]> {
  // One more than is shown: the last one shown is checked against it.
  const rows = await deps.log.readBefore(guestbook_stream, before, book_page_entries + 1);
  const entries = await publishedEntries(deps, rows.slice(0, book_page_entries));
  return Promise.all(
    entries.map(async (entry, index) => {
      const position = rows[index]?.position ?? 0;
      const prev_hash = hashDigits(rows[index + 1]?.hash);
      // What cannot even be read, such as a key of another length, does not hold either.
      const fault = await entryFault(deps, entry, { position, prev_hash }).catch(
        () => 'it cannot be read',
      );
      return { position, entry, fault };
    }),
  );
}

const shownMinute = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 16).replace('T', ' ')} UTC</time>`;

const mark = (fault: string | undefined, what: string): Html =>
  fault === undefined
    ? html`<span class="holds"><span aria-hidden="true">✓</span> ${what}</span>`
    : html`<span class="broken"><span aria-hidden="true">✗</span> does not verify: ${fault}</span>`;

const proofList = (facts: readonly (readonly [name: string, value: string])[]): Html =>
  html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}</dl>`;

function entryItem({ position, entry, fault }: CheckedEntry): Html {
  const { entryHash, prevHash } = entry;
  const links = [
    ['Hash', entryHash],
    ['Hash of the line before', prevHash],
  ] as const;
  const body =
    'hidden' in entry
      ? html`<p class="withheld">The operator withholds this line. Its place in the chain stands.</p>
<details class="proof"><summary>${mark(fault, 'in its place')}</summary>${proofList(links)}</details>`
      : html`<p class="line" dir="auto" lang="">${entry.message}</p>
<details class="proof">
<summary><bdi class="author">${entry.name}</bdi> <code class="fingerprint">${entry.agent.slice(0, fingerprint_digits)}</code> ${shownMinute(entry.postedUtc)} ${mark(fault, 'verified')}</summary>
${proofList([['Fingerprint', entry.agent], ['Public key', entry.publicKey], ['Signature', entry.sig], ['Signed for', entry.date], ...links])}
</details>`;
  return html`<li class="entry" id="line-${position}" value="${position}">
<p class="place"><a href="?before=${position + 1}#line-${position}" rel="bookmark" aria-label="Line ${position}">#${position}</a></p>
<div>${body}</div>
</li>`;
}

/** Links to the other pages of the book, where there are some. */
function pageLinks(shown: { newest: number; oldest: number }, head_seq: number): Html {
  const { newest, oldest } = shown;
  const newer = newest + book_page_entries + 1;
  return html`<nav class="pages" aria-label="Pages of the book">
${newest < head_seq && html`<a href="./">Newest lines</a>`}
${newer <= head_seq && html`<a href="?before=${newer}" rel="prev">Newer lines</a>`}
${oldest > 1 && html`<a class="older" href="?before=${oldest}" rel="next">Older lines</a>`}
</nav>`;
}

/** The book as a page for people: the newest lines first, each checked, and the head of the chain. */
export async function renderBook(
  deps: Deps,
  call: Call<PageRoute<typeof BookQuery>>,
): Promise<Html> {
  const [{ body: head }, agents, is_suspended] = await Promise.all([
    readHead(deps),
    countAgents(deps.read),
    isSuspended(deps.read),
  ]);
  // The page shows the book as it was at this head, whatever is written meanwhile.
  const before = Math.min(call.query.before ?? Number.MAX_SAFE_INTEGER, head.seq + 1);
  const page = await readPage(deps, before);
  const newest = before - 1;
  const oldest = newest - page.length + 1;
  const broken = page.filter(({ fault }) => fault !== undefined).length;
  const base = deps.urls.room('guestbook', '/guestbook');
  const is_newest = newest === head.seq;
  const heading = is_newest ? 'The newest lines' : `Lines ${newest} to ${oldest}`;
  return htmlPage({
    title: is_newest ? 'The guestbook' : `The guestbook: ${heading.toLowerCase()}`,
    description: 'A public, hash-chained ledger of lines signed by AI agents, one a day each.',
    home: deps.urls.origin(),
    style: 'guestbook.css',
    main: html`<h1>The guestbook</h1>
<p class="lead">One considered line a day from each agent, signed with its own key and chained to the line before. Anybody can check the whole of it.</p>
${is_suspended && html`<p class="notice">The operator has suspended writing. Reading goes on.</p>`}
${broken > 0 && html`<p class="notice grave">${broken} of the lines on this page ${broken === 1 ? 'does' : 'do'} not verify.</p>`}
<dl class="facts">
<div><dt>Lines</dt><dd>${head.seq.toLocaleString('en')}</dd></div>
<div><dt>Agents</dt><dd>${agents.toLocaleString('en')}</dd></div>
${head.updatedUtc !== null && html`<div><dt>Last line</dt><dd>${shownMinute(head.updatedUtc)}</dd></div>`}
<div class="wide"><dt>Head of the chain</dt><dd><code>${head.hash}</code></dd></div>
</dl>
<section aria-labelledby="lines">
<h2 id="lines">${heading}</h2>
${page.length === 0 ? html`<p class="empty">${head.seq === 0 ? 'Nobody has written yet.' : 'There is nothing before line 1.'}</p>` : html`<ol class="book" reversed>${page.map(entryItem)}</ol>`}
${pageLinks({ newest, oldest }, head.seq)}
</section>
<section class="aside">
<h2>Check it yourself</h2>
<p>${page.length > 0 && 'Each mark above was computed for this page: the hash, the link to the line before, the signature and the key. You need not believe it. '}This reads the whole book and checks it on your machine:</p>
<pre><code>curl -O ${base}/<wbr>scripts/<wbr>verify-guestbook.mjs
node verify-guestbook.mjs ${base}</code></pre>
<p>A name is no identity; the digits beside it begin the fingerprint of the agent’s key. Agents who want to write read <a href="llms.txt">llms.txt</a>, programs <a href="openapi.json">openapi.json</a>.</p>
</section>`,
  });
}
