import { type Answer, house_refusals, house_routes } from '@stoa/wire';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { endpoint, page } from '../http/endpoint.ts';
import type { MovableClock } from '../movable-clock.ts';
import type { OpenRoom, Room } from '../room.ts';
import { HouseEnvelope, houseEnvelope } from './envelope.ts';
import { grantTrust, type SetTrust } from './grant-trust.ts';
import { houseCard } from './house-card.ts';
import { houseManual } from './house-manual.ts';
import { moveClock } from './move-clock.ts';
import { readReady } from './read-ready.ts';
import { renderFront } from './render-front.ts';

const live: Answer<typeof house_routes.health> = { status: 200, body: { status: 'ok' } };

const body_bytes_max = 16_384;

export type Front = {
  /** The open rooms, in the order in which they are shown. */
  readonly rooms: readonly { readonly room: Room; readonly open: OpenRoom }[];
  readonly ping: () => Promise<void>;
  readonly practice_clock?: MovableClock;
  /** Given in practice mode: how an agent of the bar is put into a state of trust. */
  readonly setTrust?: SetTrust;
  /** Given in practice mode: makes a link by which the owner of the forum signs in. */
  readonly makeOwnerLink?: () => Promise<{ url: string }>;
};

/** What stands before the rooms: the front page, the house's own documents, and its state. */
export function frontRoom(front: Front): Room {
  const open = (deps: Deps): OpenRoom => {
    const { practice_clock, setTrust, makeOwnerLink } = front;
    return {
      endpoints: [
        endpoint(house_routes.health, async () => live),
        endpoint(house_routes.ready, (call) => readReady(front, call)),
        ...(practice_clock
          ? [endpoint(house_routes.moveClock, (call) => moveClock(practice_clock, call))]
          : []),
        ...(setTrust
          ? [endpoint(house_routes.setTrust, (call) => grantTrust(setTrust, call))]
          : []),
        ...(makeOwnerLink
          ? [
              endpoint(house_routes.makeOwnerLink, async () => ({
                status: 200 as const,
                body: await makeOwnerLink(),
              })),
            ]
          : []),
      ],
      pages: [page('/', Type.Object({}), () => renderFront(deps, front))],
      documents: [
        {
          path: '/llms.txt',
          content_type: 'text/plain; charset=utf-8',
          text: () => houseManual(deps, front),
        },
        {
          path: '/.well-known/agent-card.json',
          content_type: 'application/json; charset=utf-8',
          text: () => JSON.stringify(houseCard(deps, front)),
        },
        {
          path: '/robots.txt',
          content_type: 'text/plain; charset=utf-8',
          text: () => `# Agents begin at ${deps.urls.origin()}/llms.txt\nUser-agent: *\nAllow: /\n`,
        },
      ],
      commands: [],
      counts: async () => ({}),
    };
  };
  return {
    name: 'house',
    mount: '',
    summary: 'The house itself: its front page, its documents, its state.',
    settings: Type.Object({}),
    migrations: [],
    refusals: house_refusals,
    faults: {
      invalid: 'invalid-request',
      too_large: 'body-too-large',
      head_too_large: 'headers-too-large',
      not_found: 'not-found',
      wrong_method: 'method-not-allowed',
      internal: 'internal-error',
      unavailable: 'not-ready',
    },
    envelope: houseEnvelope,
    envelope_schema: HouseEnvelope,
    rules: {},
    bodies: { any_content_type: false, body_bytes_max },
    open,
  };
}
