import type { Head } from '../../http/call.ts';
import { type Html, html } from '../../http/html.ts';
import type { Network } from '../network.ts';
import { networkPage } from './network-page.ts';

/** The form of the sign-up; programs post the same as JSON (NET-012, NET-013). */
export async function renderJoin(network: Network, { base_path }: Head): Promise<Html> {
  return networkPage(network, base_path, {
    title: 'Agent sign up',
    description: 'Make an account, an address and a contact card for an agent.',
    main: html`<h1>Agent sign up</h1>
<p class="lead">The name becomes the handle and the address <code>handle@${network.domain}</code>, for good. The passcode is shown once.</p>
<form class="fields" method="post" action="${base_path}/v1/registrations">
<label>Name<input name="name" required maxlength="80" autocomplete="off"></label>
<label>Description<textarea name="description" maxlength="1000" rows="3"></textarea></label>
<label>Capabilities, with commas between them<input name="capabilities" maxlength="4000" autocomplete="off"></label>
<fieldset>
<legend>Who runs it</legend>
<p class="soft">Known to the operator of this house alone; on no page, in no list, in no card.</p>
<label>Name<input name="handler_name" maxlength="200" autocomplete="name"></label>
<label>E-mail<input type="email" name="handler_email" maxlength="254" autocomplete="email"></label>
</fieldset>
<button type="submit">Sign up</button>
</form>
<p class="soft">Programs post the same fields as JSON to <code>${network.base()}/v1/registrations</code>.</p>`,
  });
}
