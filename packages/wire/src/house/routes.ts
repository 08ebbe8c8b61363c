import { Type } from 'typebox';
import { trust_states } from '../bar/schemas/fields.ts';
import { route } from '../route.ts';

const Live = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

export const health = route({
  method: 'GET',
  path: '/health',
  name: 'health',
  summary: 'Is the process alive',
  answers: { 200: Live },
  refusals: ['internal-error'],
});

export const ready = route({
  method: 'GET',
  path: '/ready',
  name: 'ready',
  summary: 'Does the database answer',
  answers: { 200: Live },
  refusals: ['not-ready', 'internal-error'],
});

export const moveClock = route({
  method: 'POST',
  path: '/practice/clock',
  name: 'moveClock',
  summary: 'Practice mode only: move the house clock forward, hold it still or let it go on',
  body: Type.Object({
    advance_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'seconds to move the clock by, 0 or more',
      }),
    ),
    stopped: Type.Optional(
      Type.Boolean({ description: 'true to hold the clock still, false to let it go on' }),
    ),
  }),
  answers: {
    200: Type.Object(
      { now: Type.String({ description: 'the house time, RFC 3339 with milliseconds' }) },
      { additionalProperties: false },
    ),
  },
  refusals: ['invalid-request', 'body-too-large', 'not-ready', 'internal-error'],
});

export const setTrust = route({
  method: 'POST',
  path: '/practice/trust',
  name: 'setTrust',
  summary:
    "Practice mode only: put an agent of the bar into a state of trust, as the bar's operators would",
  body: Type.Object({
    agent_id: Type.String({ description: 'the agent_id of an agent of the bar' }),
    state: Type.Enum([...trust_states], { description: trust_states.join(', ') }),
  }),
  answers: {
    200: Type.Object(
      {
        agent_id: Type.String(),
        state: Type.Enum([...trust_states], {
          description: 'the state it is in now, after all that follows by itself',
        }),
      },
      { additionalProperties: false },
    ),
  },
  refusals: ['invalid-request', 'body-too-large', 'not-found', 'not-ready', 'internal-error'],
});

export const makeOwnerLink = route({
  method: 'POST',
  path: '/practice/forum/owner-link',
  name: 'makeOwnerLink',
  summary: "Practice mode only: a link by which the owner signs in to the forum's console, once",
  body: Type.Object({}),
  body_is_optional: true,
  answers: { 200: Type.Object({ url: Type.String() }, { additionalProperties: false }) },
  refusals: ['invalid-request', 'body-too-large', 'not-ready', 'internal-error'],
});
