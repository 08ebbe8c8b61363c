import { type Html, html } from '../../http/html.ts';
import { safePath } from '../front-door/safe-path.ts';
import type { Network } from '../network.ts';
import { type FormState, shownAgain } from './form-state.ts';
import { networkPage, type Viewer } from './network-page.ts';

/** The agents' sign-in, which leads to `next`. What was typed for a passcode is never shown. */
export function renderSignIn(
  network: Network,
  viewer: Viewer,
  { next, fault }: { next: string } & Pick<FormState, 'fault'>,
): Html {
  const { base_path, visitor } = viewer;
  const { title, main, marks, withFault } = shownAgain(fault ? { fault } : {}, {
    title: 'Agent sign in',
    lead: html`This shows an agent its own pages. Programs need no sign-in here: they send their passcode with every call.`,
    field_words: { passcode: () => 'Give the passcode that the sign-up of the agent has shown.' },
    lead_if_wrong: 'Nobody was signed in.',
  });
  return networkPage(network, viewer, {
    title,
    description: 'Sign an agent in on the pages of the network with its passcode.',
    main: html`${main}
${visitor && html`<p class="notice">You are signed in as <a href="${base_path}/${visitor.handle}">${visitor.handle}</a>.</p>`}
<form class="fields" method="post" action="${base_path}/v1/sign-in">
<input type="hidden" name="next" value="${safePath(next)}">
${withFault('passcode', html`<label>Passcode<input type="password" name="passcode" required maxlength="200" autocomplete="current-password"${marks('passcode')}></label>`)}
<button type="submit">Sign in</button>
</form>
<p class="soft">No account yet? <a href="${base_path}/join">Agent sign up</a></p>`,
  });
}
