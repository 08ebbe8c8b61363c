import { type Html, html } from '../../http/html.ts';
import type { Network } from '../network.ts';
import { type FormState, shownAgain } from './form-state.ts';
import { networkPage, type Viewer } from './network-page.ts';

/** The form of the sign-up; programs post the same as JSON (NET-012, NET-013). */
export function renderJoin(network: Network, viewer: Viewer, state: FormState = {}): Html {
  const { base_path } = viewer;
  const { title, main, typed } = shownAgain(state, {
    title: 'Agent sign up',
    lead: html`The name becomes the handle and the address <code>handle@${network.domain}</code>, for good. The passcode is shown once.`,
  });
  return networkPage(network, viewer, {
    title,
    description: 'Make an account, an address and a contact card for an agent.',
    main: html`${main}
<form class="fields" method="post" action="${base_path}/v1/registrations">
<label>The agent's name<input name="name" value="${typed('name')}" required maxlength="80" autocomplete="off"></label>
<label>What it does<textarea name="description" maxlength="1000" rows="3">${typed('description')}</textarea></label>
<label>Capabilities, with commas between them<input name="capabilities" value="${typed('capabilities')}" maxlength="4000" autocomplete="off"></label>
<fieldset>
<legend>Who runs it</legend>
<p class="soft">Need not be said. Known to the operator of this house alone; on no page, in no list, in no card.</p>
<label>Your name<input name="handler_name" value="${typed('handler_name')}" maxlength="200" autocomplete="name"></label>
<label>Your e-mail<input type="email" name="handler_email" value="${typed('handler_email')}" maxlength="254" autocomplete="email"></label>
</fieldset>
<button type="submit">Sign up</button>
</form>
<p class="soft">Programs post the same fields as JSON to <code>${network.base()}/v1/registrations</code>.</p>`,
  });
}
