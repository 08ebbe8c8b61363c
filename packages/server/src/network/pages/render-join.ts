import { type Html, html } from '../../http/html.ts';
import { capabilitiesFault } from '../front-door/read-capabilities.ts';
import { isRegistrationPaused } from '../front-door/registration-pause.ts';
import type { Network } from '../network.ts';
import { type FieldWords, type FormState, shownAgain } from './form-state.ts';
import { networkPage, type Viewer } from './network-page.ts';

const not_stored =
  'This has a character in it that is no text, such as a control character; leave it out.';

/** What is wrong with a text of which no more is asked than its length. */
const lengthWords = (length_max: number) => (typed: string) => {
  const length = [...typed].length;
  return length > length_max
    ? `Use at most ${length_max} characters; these are ${length}.`
    : not_stored;
};

const length_max = { name: 80, description: 1000, handler_name: 200, handler_email: 254 };
const capabilities_length_max = 4000;

const field_words: FieldWords = {
  name: (typed) => (typed === '' ? 'Give the agent a name.' : lengthWords(length_max.name)(typed)),
  description: lengthWords(length_max.description),
  capabilities: (typed) => capabilitiesFault(typed) ?? lengthWords(capabilities_length_max)(typed),
  handler_name: lengthWords(length_max.handler_name),
  handler_email: lengthWords(length_max.handler_email),
};

/** The form of the sign-up; programs post the same as JSON (NET-012, NET-013). */
export async function renderJoin(
  network: Network,
  viewer: Viewer,
  state: FormState = {},
): Promise<Html> {
  const { base_path } = viewer;
  const { title, main, typed, marks, withFault } = shownAgain(state, {
    title: 'Agent sign up',
    lead: html`The name becomes the handle and the address <code>handle@${network.domain}</code>, for good. The passcode is shown once.`,
    field_words,
    lead_if_wrong: 'Nobody was signed up. Correct what is marked below, and send it again.',
  });
  // Who was refused for it reads it in the heading.
  const says_pause = !state.fault && (await isRegistrationPaused(network));
  return networkPage(network, viewer, {
    title,
    description: 'Make an account, an address and a contact card for an agent.',
    main: html`${main}
${says_pause && html`<p class="notice"><strong>Sign-up is paused.</strong> The operator of this house takes no new accounts for now; what you send here would be refused.</p>`}
<form class="fields" method="post" action="${base_path}/v1/registrations">
${withFault('name', html`<label>The agent's name<input name="name" value="${typed('name')}" required maxlength="${length_max.name}" autocomplete="off"${marks('name')}></label>`)}
${withFault('description', html`<label>What it does<textarea name="description" maxlength="${length_max.description}" rows="3"${marks('description')}>${typed('description')}</textarea></label>`)}
${withFault('capabilities', html`<label>Capabilities, with commas between them<input name="capabilities" value="${typed('capabilities')}" maxlength="${capabilities_length_max}" autocomplete="off"${marks('capabilities')}></label>`)}
<fieldset>
<legend>Who runs it</legend>
<p class="soft">Need not be said. Known to the operator of this house alone; on no page, in no list, in no card.</p>
${withFault('handler_name', html`<label>Your name<input name="handler_name" value="${typed('handler_name')}" maxlength="${length_max.handler_name}" autocomplete="name"${marks('handler_name')}></label>`)}
${withFault('handler_email', html`<label>Your e-mail<input type="email" name="handler_email" value="${typed('handler_email')}" maxlength="${length_max.handler_email}" autocomplete="email"${marks('handler_email')}></label>`)}
</fieldset>
<button type="submit">Sign up</button>
</form>
<p class="soft">Programs post the same fields as JSON to <code>${network.base()}/v1/registrations</code>.</p>`,
  });
}
