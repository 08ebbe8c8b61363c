import { bar_refusals, bar_schemas } from '@stoa/wire';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import type { OpenRoom, Room, Said } from '../room.ts';
import { agentEndpoints } from './agents/endpoints.ts';
import { openBar } from './bar.ts';
import { doorEndpoints } from './door/endpoints.ts';
import { body_bytes_max, house_waits_max_default, json_levels_max } from './limits.ts';
import { messageEndpoints } from './messages/endpoints.ts';
import { bar_migrations } from './migrations.ts';
import { roomEndpoints } from './rooms/endpoints.ts';
import { bar_rules } from './rules.ts';
import { trustEndpoints } from './trust/endpoints.ts';

const mount = '/bar';

const settings = Type.Object({
  long_polls: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: house_waits_max_default,
    description: 'Reads that are held at once; later ones answer at once.',
  }),
});

function open(deps: Deps): OpenRoom {
  const bar = openBar(deps, mount);
  return {
    endpoints: [
      ...doorEndpoints(bar),
      ...agentEndpoints(bar),
      ...roomEndpoints(bar),
      ...messageEndpoints(bar),
      ...trustEndpoints(bar),
    ],
    pages: [],
    documents: [],
    commands: [],
    counts: async () => ({}),
  };
}

/** The refusals of the bar: the hint stands apart, and some codes say more (D-BAR-88). */
function envelope({ code, message, hint, retry_after_s, base_path, more }: Said): unknown {
  // A path that is printed works when it is pasted (D-BAR-01).
  const rooted = (text: string) => text.replaceAll('{base}', base_path);
  const waiting = retry_after_s === undefined ? {} : { retry_after: retry_after_s };
  return { error: { code, message: rooted(message), hint: rooted(hint), ...waiting, ...more } };
}

/** The bar: members-only rooms behind a door that only programs pass. */
export const bar: Room = {
  name: 'bar',
  mount,
  summary: 'Members-only chat rooms behind a door that only programs pass, hash-chained.',
  settings,
  migrations: bar_migrations,
  refusals: bar_refusals,
  faults: {
    invalid: 'bad_request',
    too_large: 'body_too_large',
    not_found: 'not_found',
    wrong_method: 'method_not_allowed',
    internal: 'internal',
  },
  envelope,
  envelope_schema: bar_schemas.Refused,
  rules: bar_rules,
  bodies: { any_content_type: false, body_bytes_max, json_nesting_max: json_levels_max },
  headers: { 'cache-control': 'no-store' },
  open,
};
