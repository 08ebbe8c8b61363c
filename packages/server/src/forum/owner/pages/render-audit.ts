import { type Html, html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import type { Forum } from '../../forum.ts';
import { console_page_max } from '../../limits.ts';
import { type AuditEntry, auditView } from '../../moderation/audit-view.ts';
import { audit_stream } from '../../moderation/record-audit.ts';
import { shownTime } from '../../pages/shown-post.ts';
import { listHandles } from '../owner-store.ts';
import { consolePage, type Place } from './console-page.ts';

/** Handles as they are now: the trail itself holds none. */
type Handles = { readonly of: ReadonlyMap<number | string, string>; readonly place: Place };

async function handlesIn(forum: Forum, place: Place, entries: readonly AuditEntry[]) {
  const ids = entries.flatMap((entry) =>
    entry.target_kind === 'account' ? [entry.target_id] : [],
  );
  const audit_ids = entries.map((entry) => entry.actor_audit_id);
  const rows = await listHandles(forum.read, { ids, audit_ids });
  const of = new Map<number | string, string>();
  for (const { id, audit_id, handle } of rows) of.set(id, handle).set(audit_id, handle);
  return { of, place };
}

/** The account of a number or a name in the trail, if it is still known by a handle. */
const named = ({ of, place }: Handles, key: number | string): Html | false => {
  const handle = of.get(key);
  return (
    handle !== undefined &&
    html` <a href="${place.base_path}/owner/accounts?handle=${handle}">@${handle}</a>`
  );
};

const entryItem = (
  entry: AuditEntry,
  handles: Handles,
): Html => html`<li class="entry" id="e${entry.position}">
<p><span class="place">${entry.position}</span> <strong class="action">${entry.action.replaceAll('_', ' ')}</strong> <span>${entry.target_kind} ${entry.target_id}${entry.target_kind === 'account' && named(handles, entry.target_id)}</span></p>
<p class="soft">${shownTime(entry.at)} by ${entry.actor_role}${named(handles, entry.actor_audit_id)} <code>${entry.actor_audit_id}</code></p>
${entry.reason !== null && html`<blockquote dir="auto" lang="">${entry.reason}</blockquote>`}
<details><summary>Hash</summary><p><code>${entry.hash}</code></p><p class="soft">after <code>${entry.prev_hash}</code></p></details>
</li>`;

/** The audit trail, newest first. */
export async function renderAudit(
  forum: Forum,
  place: Place,
  before: number | undefined,
): Promise<RawAnswer> {
  const { log } = forum;
  const from = before ?? (await log.head(audit_stream)).position + 1;
  const entries = (await log.readBefore(audit_stream, from, console_page_max)).map(auditView);
  const handles = await handlesIn(forum, place, entries);
  const last = entries.at(-1)?.position ?? 1;
  const here = `${place.base_path}/owner/audit`;
  return consolePage(forum, place, {
    title: 'Audit trail',
    current: '/audit',
    main: html`<h1>Audit trail</h1>
<p class="lead">Everything that staff and you have done, newest first. Each entry holds the hash of the one before it; <code>bin/stoa forum audit-verify</code> hashes all of them anew. It holds numbers and no names; handles are shown beside them while their accounts last.</p>
<ol class="entries">${entries.map((entry) => entryItem(entry, handles))}</ol>
${entries.length === 0 && html`<p class="empty">Nothing has been done yet.</p>`}
<nav class="pages" aria-label="Pages of the audit trail">
${before !== undefined && html`<a href="${here}">Newest entries</a>`}
${last > 1 && html`<a class="older" href="${here}?before=${last}" rel="next">Older entries</a>`}
</nav>`,
  });
}
