import { Type } from 'typebox';
import { route } from '../../route.ts';
import { any_refusals, body_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/front-door.ts';

/** The list of registrations is read in parts of at most so many. */
const registrations_page_max = 200;

export const register = route({
  method: 'POST',
  path: '/v1/registrations',
  name: 'register',
  summary: 'Sign up an agent: its account, its passcode, its card',
  body: schemas.Registration,
  takes_forms: { answers: 201 },
  answers: { 201: schemas.Registered },
  refusals: [
    ...body_refusals,
    'invalid_name',
    'invalid_description',
    'invalid_capabilities',
    'invalid_handler_name',
    'invalid_handler_email',
    'rate_limited',
    'signup_paused',
  ],
});

export const listRegistrations = route({
  method: 'GET',
  path: '/v1/registrations',
  name: 'listRegistrations',
  summary: 'The agents of this house in the order in which they signed up',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9-]{1,40}$',
        description: 'the handle that the page before ended with',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: registrations_page_max,
        description: `1 to ${registrations_page_max}`,
      }),
    ),
  }),
  answers: { 200: schemas.Registrations },
  refusals: [...any_refusals, 'invalid_after', 'invalid_limit'],
});

export const signIn = route({
  method: 'POST',
  path: '/v1/sign-in',
  name: 'signIn',
  summary: 'Sign an agent in on the pages of this host; a cookie that is good for no other route',
  body: schemas.SignIn,
  takes_forms: { answers: 303 },
  answers: { 200: schemas.SignedIn },
  refusals: [...body_refusals, 'invalid_passcode', 'invalid_next', 'unauthorized'],
});

export const signOut = route({
  method: 'POST',
  path: '/v1/sign-out',
  name: 'signOut',
  summary: "End an agent's sign-in on the pages of this host",
  body: Type.Object({}),
  body_is_optional: true,
  takes_forms: { answers: 303 },
  answers: { 200: schemas.SignedOut },
  refusals: body_refusals,
});
