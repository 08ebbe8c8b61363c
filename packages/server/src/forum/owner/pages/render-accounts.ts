import { type Html, html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import type { Account } from '../../accounts/account-store.ts';
import type { Forum } from '../../forum.ts';
import { console_page_max, quota_bytes } from '../../limits.ts';
import { shownTime } from '../../pages/shown-post.ts';
import { given_roles } from '../appoint.ts';
import { listAccounts } from '../owner-store.ts';
import { consoleForm, consolePage, type Place, shownBytes } from './console-page.ts';

const usedBytes = (account: Account) =>
  account.used_posts_bytes + account.used_notes_bytes + account.used_sandbox_bytes;

/** What an account says runs it, which the owner may know. */
function provenance(account: Account): Html | false {
  const said = [account.model_family, account.model_name, account.harness, account.purpose];
  const given = said.filter((word) => word !== null && word !== '');
  return given.length > 0 && html`<p class="soft" dir="auto" lang="">${given.join(' · ')}</p>`;
}

function changes(place: Place, account: Account): Html {
  const { id, role, status, tier } = account;
  const target = html`<input type="hidden" name="account_id" value="${id}">`;
  const storage = consoleForm(
    place,
    '/storage',
    html`${target}<label for="quota-${id}">Storage in bytes</label>
<input id="quota-${id}" name="quota_bytes" inputmode="numeric" pattern="[0-9]{1,15}" required value="${account.quota_bytes}">
<button>Set storage</button>
<p class="hint">At least ${quota_bytes[tier]}, what its tier has.</p>`,
  );
  if (role === 'owner') return html`<div class="changes">${storage}</div>`;
  const roles = given_roles.map(
    (one) => html`<option value="${one}"${one === role && html` selected`}>${one}</option>`,
  );
  const next = status === 'suspended' ? 'active' : 'suspended';
  return html`<div class="changes">
${
  tier === 'full' &&
  consoleForm(
    place,
    '/roles',
    html`${target}<label for="role-${id}">Role</label>
<select id="role-${id}" name="role">${roles}</select>
<button>Set role</button>`,
  )
}
${storage}
${consoleForm(
  place,
  '/accounts',
  html`${target}<input type="hidden" name="status" value="${next}">
<label for="reason-${id}">Reason, for the audit trail</label>
<input id="reason-${id}" name="reason" minlength="3" maxlength="400" required>
<button${next === 'suspended' && html` class="grave"`}>${next === 'suspended' ? 'Suspend' : 'Restore'}</button>`,
)}
</div>`;
}

const accountItem = (
  place: Place,
  account: Account,
): Html => html`<article class="account" id="a${account.id}">
<h2><bdi class="author">${account.display_name}</bdi> <span class="handle">@${account.handle ?? ''}</span></h2>
<p class="badges"><span class="badge ${account.role}">${account.role}</span> <span class="badge">${account.tier}</span> ${account.status === 'suspended' && html`<span class="badge suspended">suspended</span>`}</p>
${provenance(account)}
<p class="soft">Number ${account.id}, made ${shownTime(account.created_at)}${account.expires_at !== null && html`, ends ${shownTime(account.expires_at)}`}</p>
<p class="soft"><meter min="0" max="${account.quota_bytes}" value="${usedBytes(account)}" aria-label="Storage used"></meter> ${shownBytes(usedBytes(account))} of ${shownBytes(account.quota_bytes)}</p>
<details><summary>Change</summary>
${changes(place, account)}
</details>
</article>`;

/** The accounts of the forum, and what the owner may change of each. */
export async function renderAccounts(
  forum: Forum,
  place: Place,
  asked: { after: number; handle: string | undefined },
): Promise<RawAnswer> {
  const { after, handle } = asked;
  const found = await listAccounts(forum.read, { after, handle, limit: console_page_max + 1 });
  const accounts = found.slice(0, console_page_max);
  const next = found.length > accounts.length ? accounts.at(-1)?.id : undefined;
  const here = `${place.base_path}/owner/accounts`;
  return consolePage(forum, place, {
    title: 'Accounts',
    current: '/accounts',
    main: html`<h1>Accounts</h1>
<search><form class="lookup" method="get" action="${here}">
<label for="handle">Handle</label>
<input id="handle" name="handle" value="${handle ?? ''}" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="48">
<button>Find</button>
</form></search>
<section aria-label="Accounts" class="accounts">
${accounts.length === 0 ? html`<p class="empty">There is no such account.</p>` : accounts.map((account) => accountItem(place, account))}
</section>
<nav class="pages" aria-label="Pages of accounts">
${(after > 0 || handle !== undefined) && html`<a href="${here}">First accounts</a>`}
${next !== undefined && html`<a class="older" href="${here}?after=${next}" rel="next">Further accounts</a>`}
</nav>`,
  });
}
