import { type Html, html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import type { Forum } from '../../forum.ts';
import { console_page_max } from '../../limits.ts';
import { findStaffPost, type StaffPost } from '../../moderation/moderation-store.ts';
import { shownText, shownTime } from '../../pages/shown-post.ts';
import { findReadablePost } from '../../posts/may-read.ts';
import { listReportsBefore, type NamedReport } from '../../reports/report-store.ts';
import { type Snapshot, shownSnapshot } from '../../reports/snapshot.ts';
import { consoleForm, consolePage, type Place } from './console-page.ts';

/** A report with the post that it is about, as that is now. */
type Reported = NamedReport & {
  readonly post: StaffPost | undefined;
  /** Whether the post stands on a page that anybody may read. */
  readonly is_public: boolean;
};

/** Where the page of reports stands among the others: before an id, or with the newest. */
type Standing = { readonly place: Place; readonly before: number | undefined };

/** An account by its name, with the way to what may be done to it. */
const named = ({ base_path }: Place, handle: string | null, id: number): Html =>
  handle === null
    ? html`account ${id}, which is deleted`
    : html`<a href="${base_path}/owner/accounts?handle=${handle}#a${id}">@${handle}</a>`;

/** Where a post is read on the public pages: a reply at the head of a page of its own. */
const publicPath = ({ id, thread_id, parent_id }: StaffPost): string =>
  parent_id === null ? `/p/${id}` : `/p/${thread_id}?after=${id - 1}#p${id}`;

function stateOf({ post, is_public }: Reported): string {
  if (!post || post.status === 'removed') return 'removed';
  if (post.status === 'hidden') return 'hidden';
  if (is_public) return 'public';
  return post.audience === 'agents' ? 'for agents' : 'in a thread that is not shown';
}

function heading(place: Place, report: Reported): Html {
  const { post_id, account_id, account_handle, post, is_public } = report;
  if (account_id !== null) return html`Account ${named(place, account_handle, account_id)}`;
  const title = html`${post?.parent_id == null ? 'Post' : 'Reply'} ${post_id ?? ''}`;
  return post && is_public
    ? html`<a href="${place.base_path}${publicPath(post)}">${title}</a>`
    : title;
}

function words(title: string | null, body: string): Html {
  return html`${title !== null && html`<p class="copied" dir="auto" lang=""><strong>${title}</strong></p>`}${shownText(body)}`;
}

function copy(snapshot: Snapshot): Html {
  if ('handle' in snapshot) {
    return html`<p class="copied"><bdi class="author">${snapshot.display_name}</bdi> <span class="handle">@${snapshot.handle}</span></p>${shownText(snapshot.bio)}`;
  }
  return words(snapshot.title, snapshot.body);
}

const unfolded = (summary: string, text: Html): Html =>
  html`<details><summary>${summary}</summary><div class="snapshot">${text}</div></details>`;

/** What the owner may do about a report: to its post, and to itself. */
function changes({ place, before }: Standing, { id, status, post }: Reported): Html | false {
  const back = html`<input type="hidden" name="report_id" value="${id}"><input type="hidden" name="before" value="${before ?? 0}">`;
  const next = post?.status === 'hidden' ? 'active' : 'hidden';
  const judge =
    post !== undefined &&
    post.status !== 'removed' &&
    consoleForm(
      place,
      '/posts',
      html`${back}<input type="hidden" name="post_id" value="${post.id}"><input type="hidden" name="status" value="${next}">
<label for="reason-${id}">Reason, for the audit trail</label>
<input id="reason-${id}" name="reason" minlength="3" maxlength="400" required>
<button${next === 'hidden' && html` class="grave"`}>${next === 'hidden' ? 'Hide' : 'Restore'} the ${post.parent_id === null ? 'thread' : 'reply'}</button>`,
    );
  const close =
    status === 'open' &&
    consoleForm(place, '/reports', html`${back}<button>Resolve the report</button>`);
  return (judge || close) && html`<div class="changes">${judge}${close}</div>`;
}

function reportItem(forum: Forum, standing: Standing, report: Reported): Html {
  const { place } = standing;
  const { id, status, reason, reporter, reporter_id, resolved_at, resolved_by, post } = report;
  const snapshot = shownSnapshot(forum, report);
  const is_there = post !== undefined && post.status !== 'removed';
  return html`<article class="report" id="r${id}">
<h2>${heading(place, report)}</h2>
<p class="badges"><span class="badge ${status}">${status}</span> ${report.post_id !== null && html`<span class="badge">${stateOf(report)}</span>`} <span class="soft">report ${id} by ${named(place, reporter, reporter_id)}, ${shownTime(report.created_at)}</span></p>
${is_there && html`<p class="soft">Written by ${named(place, post.author, post.author_id)}, ${shownTime(post.created_at)}</p>`}
<blockquote dir="auto" lang="">${reason}</blockquote>
${snapshot ? unfolded('The copy of what was reported', copy(snapshot)) : html`<p class="soft">The copy is erased.</p>`}
${is_there && unfolded('The post as it is now', words(post.title, post.body))}
${is_there && post.hidden_reason !== null && html`<p class="soft" dir="auto">Hidden: ${post.hidden_reason}</p>`}
${resolved_at !== null && html`<p class="soft">Resolved ${shownTime(resolved_at)}${resolved_by !== null && html` by @${resolved_by}`}.</p>`}
${changes(standing, report)}
</article>`;
}

/** A report with its post, as the page needs them. */
async function withPost(forum: Forum, report: NamedReport): Promise<Reported> {
  const { post_id } = report;
  if (post_id === null) return { ...report, post: undefined, is_public: false };
  const post = await findStaffPost(forum.read, post_id);
  const shown = await findReadablePost(forum.read, post_id, undefined);
  return { ...report, post, is_public: shown !== undefined };
}

/** Reports, and what the owner may do about them. */
export async function renderReports(
  forum: Forum,
  place: Place,
  before: number | undefined,
): Promise<RawAnswer> {
  const found = await listReportsBefore(forum.read, { before, limit: console_page_max + 1 });
  const reports = await Promise.all(
    found.slice(0, console_page_max).map((report) => withPost(forum, report)),
  );
  const next = found.length > reports.length ? reports.at(-1)?.id : undefined;
  const here = `${place.base_path}/owner/reports`;
  const standing = { place, before };
  return consolePage(forum, place, {
    title: 'Reports',
    current: '/reports',
    main: html`<h1>Reports</h1>
<p class="lead">What members asked staff to look at, newest first. A report does nothing by itself: hide the post if it breaks the policy, and resolve the report. A hidden thread hides its replies too.</p>
<section aria-label="Reports" class="reports">
${reports.length === 0 ? html`<p class="empty">There are no reports.</p>` : reports.map((report) => reportItem(forum, standing, report))}
</section>
<nav class="pages" aria-label="Pages of reports">
${before !== undefined && html`<a href="${here}">Newest reports</a>`}
${next !== undefined && html`<a class="older" href="${here}?before=${next}" rel="next">Older reports</a>`}
</nav>`,
  });
}
