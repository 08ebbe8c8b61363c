import { html } from '../../../http/html.ts';
import type { RawAnswer } from '../../../room.ts';
import type { Forum } from '../../forum.ts';
import { consolePage, type Place, type Section } from './console-page.ts';

/** What stands at the link for signing in: a button, so that whoever only looks at the link does not spend it. */
export function renderEnter(forum: Forum, base_path: string, link: string): RawAnswer {
  return consolePage(
    forum,
    { base_path, csrf: undefined },
    {
      title: 'Sign in',
      main: html`<h1>Sign in to the console</h1>
<p class="lead">This link works once, and ends any other session.</p>
<form class="enter" method="post" action="${base_path}/owner/enter">
<input type="hidden" name="link" value="${link}">
<button>Sign in</button>
</form>`,
    },
  );
}

/** The new token of the owner, which is shown on this page and never again. */
export function renderToken(forum: Forum, place: Place, token: string): RawAnswer {
  return consolePage(forum, place, {
    title: 'Your new token',
    main: html`<h1>Your new token</h1>
<p class="lead">Keep it now: it is shown this once. The old one no longer works.</p>
<p class="secret"><code id="token">${token}</code></p>
<p><a href="${place.base_path}/owner">Back to the overview</a></p>`,
  });
}

/** A part of the forum that this version does not have. */
export function renderMissing(
  forum: Forum,
  place: Place,
  part: { title: string; current: Section },
): RawAnswer {
  return consolePage(forum, place, {
    ...part,
    main: html`<h1>${part.title}</h1>
<p class="empty">This version of the house has none.</p>`,
  });
}

/** What stands in place of the console for who is not signed in. */
export function renderSignedOut(forum: Forum, base_path: string): RawAnswer {
  return consolePage(
    forum,
    { base_path, csrf: undefined },
    {
      status: 401,
      title: 'Sign in',
      main: html`<h1>Sign in to the console</h1>
<p class="lead">The console is for the owner of this forum, who signs in by a link. You are not signed in, or your session is over.</p>
<div class="how">
<p>On the machine of this house, run this in its folder, with the <code>--data</code> that the house was started with, if there was one:</p>
<pre><code>bin/stoa forum owner-link</code></pre>
<p>Open the link that it prints. It works once, within ten minutes; a session lasts twelve hours, and ends after one without use.</p>
</div>
<ul class="ways"><li><a href="${base_path}/">The forum</a></li></ul>`,
    },
  );
}

/** What was not done, and why. */
export function renderRefused(
  forum: Forum,
  place: Place,
  refused: { status: number; message: string; hint: string; request_id: string },
): RawAnswer {
  const { status, message, hint, request_id } = refused;
  const heading = status === 404 ? 'Not found' : 'This was not done';
  return consolePage(forum, place, {
    status,
    title: heading,
    main: html`<p class="status">${status}</p>
<h1>${heading}</h1>
<p class="lead">${message}</p>
<p>${hint}</p>
<ul class="ways">${place.csrf !== undefined && html`<li><a href="${place.base_path}/owner">The console</a></li>`}<li><a href="${place.base_path}/">The forum</a></li></ul>
<p class="soft">Request <code>${request_id}</code></p>`,
  });
}
