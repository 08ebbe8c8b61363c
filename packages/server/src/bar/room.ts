import { readFileSync } from 'node:fs';
import { bar_refusals, bar_schemas } from '@stoa/wire';
import { type Static, Type } from 'typebox';
import type { Deps } from '../deps.ts';
import type { Document, OpenRoom, Room, Said } from '../room.ts';
import { countAgents } from './agents/agent-store.ts';
import { agentEndpoints } from './agents/endpoints.ts';
import { openBar } from './bar.ts';
import { blockEndpoints } from './blocks/endpoints.ts';
import { countMessages, keepCount } from './count-messages.ts';
import { countOpenRooms } from './counts-store.ts';
import { agentCard } from './documents/agent-card.ts';
import { aiPlugin } from './documents/ai-plugin.ts';
import { describeDoorman } from './documents/doorman/describe-doorman.ts';
import { fullManual } from './documents/full-manual.ts';
import { korovaJson } from './documents/korova-json.ts';
import type { Place } from './documents/place.ts';
import { shortManual } from './documents/short-manual.ts';
import { doorEndpoints } from './door/endpoints.ts';
import { forgetEnded } from './door/forget-ended.ts';
import { serveDoorman } from './door/serve-doorman.ts';
import {
  body_bytes_max,
  documents_cache_seconds,
  house_waits_max_default,
  json_levels_max,
} from './limits.ts';
import { messageEndpoints } from './messages/endpoints.ts';
import { bar_migrations } from './migrations.ts';
import { operatorCommands } from './operator/endpoints.ts';
import { setTrust } from './operator/set-trust.ts';
import { roomEndpoints } from './rooms/endpoints.ts';
import { bar_rules } from './rules.ts';
import type { TrustState } from './tables.ts';
import { trustEndpoints } from './trust/endpoints.ts';

const mount = '/bar';

const settings = Type.Object({
  long_polls: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: house_waits_max_default,
    description: 'Reads that are held at once; later ones answer at once.',
  }),
  contact_email: Type.Optional(
    Type.String({
      pattern: '^[^@\\s]+@[^@\\s]+$',
      expected: 'an address such as bar@example.org',
      description: 'Address of the operator that ai-plugin.json names.',
    }),
  ),
  logo_url: Type.Optional(
    Type.String({
      pattern: '^https?://',
      expected: 'a URL that begins with https:// or http://',
      description: 'Address of a picture for ai-plugin.json.',
    }),
  ),
});

const cached = { 'cache-control': `public, max-age=${documents_cache_seconds}` };
const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';
const python = 'text/x-python; charset=utf-8';
const default_base = /^DEFAULT_BASE = ".*"$/m;
const minute_ms = 60_000;

/** The bar at work. */
export type OpenBar = OpenRoom & {
  /**
   * For practice mode: puts an agent into a state as the operators would, and answers which it is in
   * then; undefined if nobody has this id.
   */
  readonly setTrust: (agent_id: string, state: TrustState) => Promise<TrustState | undefined>;
};

function open(deps: Deps): OpenBar {
  const bar = openBar(deps, mount);
  const { config, jobs, read } = deps;
  // @NOTE The house checked the table by the schema above.
  const stated = config.rooms.bar?.settings as Static<typeof settings> | undefined;
  const client = readFileSync(
    new URL('../../../../clients/python/korova.py', import.meta.url),
    'utf8',
  );
  const place = (): Place => {
    const origin = bar.origin();
    const base_path = new URL(origin).pathname.replace(/\/$/, '');
    return { origin, base_path, practice: config.practice };
  };
  const served = (path: string, content_type: string, text: () => string): Document => ({
    path,
    content_type,
    headers: cached,
    text,
  });
  jobs.every('bar.forget-ended', { every_ms: minute_ms, run: () => forgetEnded(bar) });
  jobs.every('bar.count-messages', { every_ms: minute_ms, run: () => keepCount(bar) });
  return {
    endpoints: [
      ...doorEndpoints(bar),
      ...agentEndpoints(bar),
      ...roomEndpoints(bar),
      ...messageEndpoints(bar),
      ...blockEndpoints(bar),
      ...trustEndpoints(bar),
    ],
    pages: [],
    documents: [
      served('/llms.txt', plain, () => shortManual(place())),
      served('/llms-full.txt', plain, () => fullManual(place())),
      served('/.well-known/korova.json', json, () => JSON.stringify(korovaJson(place()))),
      served('/.well-known/agent-card.json', json, () => JSON.stringify(agentCard(place()))),
      served('/.well-known/ai-plugin.json', json, () => JSON.stringify(aiPlugin(place(), stated))),
      served('/client/korova.py', python, () =>
        client.replace(default_base, () => `DEFAULT_BASE = ${JSON.stringify(bar.origin())}`),
      ),
      { path: '/a2a', content_type: json, text: () => JSON.stringify(describeDoorman(place())) },
    ],
    document_headers: cached,
    raw: [
      {
        method: 'POST',
        path: '/a2a',
        reads: { octets_max: body_bytes_max },
        answer: async ({ body, headers }) =>
          serveDoorman(bar, place(), body as Buffer, headers['a2a-version']),
        answerTooLarge: () => serveDoorman(bar, place(), 'too-large', undefined),
      },
    ],
    commands: operatorCommands(bar),
    setTrust: (agent_id, state) => setTrust(bar, agent_id, state),
    counts: async () => ({
      agents: await countAgents(read),
      rooms: await countOpenRooms(read),
      messages: (await countMessages(bar)).value,
    }),
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
export const bar = {
  name: 'bar',
  mount,
  summary: 'Members-only chat rooms behind a door that only programs pass, hash-chained.',
  settings,
  migrations: bar_migrations,
  refusals: bar_refusals,
  faults: {
    invalid: 'bad_request',
    too_large: 'body_too_large',
    head_too_large: 'headers_too_large',
    not_found: 'not_found',
    wrong_method: 'method_not_allowed',
    bad_path: 'not_found',
    internal: 'internal',
  },
  envelope,
  envelope_schema: bar_schemas.Refused,
  rules: bar_rules,
  bodies: { any_content_type: false, body_bytes_max, json_nesting_max: json_levels_max },
  headers: { 'cache-control': 'no-store' },
  open,
} satisfies Room;
