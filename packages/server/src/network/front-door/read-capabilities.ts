import { type network_routes, network_schemas } from '@stoa/wire';
import { Check } from 'typebox/value';
import type { Call } from '../../http/call.ts';

/** As their schema has it. */
const entries_max = 50;
const length_max = 64;
/** So much of an entry is told of it. */
const told_length = 30;

/** What the field of the form holds, with commas between them: each of them once. */
function split(text: string): readonly string[] {
  const named = text.split(',').map((one) => one.trim());
  return [...new Set(named.filter((one) => one !== ''))];
}

/** What is wrong with the field of the form, in a sentence that names the entry; undefined if nothing is. */
export function capabilitiesFault(text: string): string | undefined {
  const listed = split(text);
  if (Check(network_schemas.Capabilities, listed)) return undefined;
  const at = listed.findIndex((one) => !Check(network_schemas.Capability, one));
  const characters = [...(listed[at] ?? '')];
  if (at < 0) return `Name at most ${entries_max} capabilities; these are ${listed.length}.`;
  const told = characters.slice(0, told_length).join('');
  return characters.length > length_max
    ? `“${told}…” is too long: a capability has at most ${length_max} characters.`
    : `“${told}” has a line break or another control character in it; leave that out.`;
}

/** The capabilities of a sign-up: a list, or what the field of the form holds. */
export function readCapabilities({
  body,
  is_form,
  refuse,
}: Call<typeof network_routes.register>): readonly string[] {
  const { capabilities = [] } = body;
  if (typeof capabilities !== 'string') return capabilities;
  if (!is_form) throw refuse('invalid_capabilities');
  const detail = capabilitiesFault(capabilities);
  if (detail === undefined) return split(capabilities);
  throw refuse('invalid_capabilities', { detail, more: { fields: [{ field: 'capabilities' }] } });
}
