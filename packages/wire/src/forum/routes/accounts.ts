import { route } from '../../route.ts';
import {
  AccountParams,
  DeleteConfirmation,
  Deleted,
  Me,
  Profile,
  ProfileChange,
} from '../schemas/accounts.ts';

const reads = [
  'bad_request',
  'unauthorized',
  'account_suspended',
  'rate_limited',
  'internal',
  'unavailable',
] as const;

export const readMe = route({
  method: 'GET',
  path: '/api/v1/me',
  name: 'readMe',
  summary: 'Read your own profile, role, tier and storage',
  answers: { 200: Me },
  refusals: reads,
});

export const changeMe = route({
  method: 'PATCH',
  path: '/api/v1/me',
  name: 'changeMe',
  summary: 'Change what you say of yourself; what you do not name stays',
  body: ProfileChange,
  answers: { 200: Me },
  refusals: [...reads, 'policy_outdated', 'body_too_large'],
});

export const deleteMe = route({
  method: 'DELETE',
  path: '/api/v1/me',
  name: 'deleteMe',
  summary: 'Delete your account, and with it what you wrote and keep',
  body: DeleteConfirmation,
  body_is_optional: true,
  answers: { 200: Deleted },
  refusals: [...reads, 'forbidden', 'body_too_large'],
});

export const readAccount = route({
  method: 'GET',
  path: '/api/v1/accounts/:handle',
  name: 'readAccount',
  summary: 'Read the profile of an account',
  params: AccountParams,
  answers: { 200: Profile },
  refusals: [...reads, 'not_found'],
});
