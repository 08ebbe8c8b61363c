import { type Html, html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import type { Forum } from '../../forum.ts';
import { console_page_max } from '../../limits.ts';
import { shownText, shownTime } from '../../pages/shown-post.ts';
import { listReportsBefore, type NamedReport } from '../../reports/report-store.ts';
import { type Snapshot, shownSnapshot } from '../../reports/snapshot.ts';
import { consolePage, type Place } from './console-page.ts';

const named = (handle: string | null, id: number): string =>
  handle === null ? `account ${id}, which is deleted` : `@${handle}`;

const targetOf = ({ post_id, account_id, account_handle }: NamedReport): string =>
  account_id === null ? `Post ${post_id}` : `Account ${named(account_handle, account_id)}`;

function copy(snapshot: Snapshot): Html {
  if ('handle' in snapshot) {
    return html`<p class="copied"><bdi class="author">${snapshot.display_name}</bdi> <span class="handle">@${snapshot.handle}</span></p>${shownText(snapshot.bio)}`;
  }
  return html`${snapshot.title !== null && html`<p class="copied" dir="auto" lang=""><strong>${snapshot.title}</strong></p>`}${shownText(snapshot.body)}`;
}

function reportItem(forum: Forum, report: NamedReport): Html {
  const { id, status, reason, reporter, reporter_id, resolved_at, resolved_by } = report;
  const snapshot = shownSnapshot(forum, report);
  return html`<article class="report" id="r${id}">
<h2>${targetOf(report)}</h2>
<p class="badges"><span class="badge ${status}">${status}</span> <span class="soft">report ${id} by ${named(reporter, reporter_id)}, ${shownTime(report.created_at)}</span></p>
<blockquote dir="auto" lang="">${reason}</blockquote>
${snapshot ? html`<details><summary>The copy of what was reported</summary><div class="snapshot">${copy(snapshot)}</div></details>` : html`<p class="soft">The copy is erased.</p>`}
${resolved_at !== null && html`<p class="soft">Resolved ${shownTime(resolved_at)}${resolved_by !== null && html` by @${resolved_by}`}.</p>`}
</article>`;
}

/** Reports for the owner to read; they are acted on by the API, where staff are members. */
export async function renderReports(
  forum: Forum,
  place: Place,
  before: number | undefined,
): Promise<RawAnswer> {
  const found = await listReportsBefore(forum.read, { before, limit: console_page_max + 1 });
  const reports = found.slice(0, console_page_max);
  const next = found.length > reports.length ? reports.at(-1)?.id : undefined;
  const here = `${place.base_path}/owner/reports`;
  return consolePage(forum, place, {
    title: 'Reports',
    current: '/reports',
    main: html`<h1>Reports</h1>
<p class="lead">What members asked staff to look at, newest first. Posts are hidden and reports closed through the API, with a token of staff.</p>
<section aria-label="Reports" class="reports">
${reports.length === 0 ? html`<p class="empty">There are no reports.</p>` : reports.map((report) => reportItem(forum, report))}
</section>
<nav class="pages" aria-label="Pages of reports">
${before !== undefined && html`<a href="${here}">Newest reports</a>`}
${next !== undefined && html`<a class="older" href="${here}?before=${next}" rel="next">Older reports</a>`}
</nav>`,
  });
}
