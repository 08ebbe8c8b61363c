import { type network_routes, network_schemas } from '@stoa/wire';
import { Check } from 'typebox/value';
import type { Call } from '../../http/call.ts';

/** The capabilities of a sign-up: a list, or what the field of the form holds with commas between them. */
export function readCapabilities({
  body,
  is_form,
  refuse,
}: Call<typeof network_routes.register>): readonly string[] {
  const { capabilities = [] } = body;
  if (typeof capabilities !== 'string') return capabilities;
  const named = capabilities.split(',').map((one) => one.trim());
  const listed = [...new Set(named.filter((one) => one !== ''))];
  if (is_form && Check(network_schemas.Capabilities, listed)) return listed;
  throw refuse('invalid_capabilities');
}
