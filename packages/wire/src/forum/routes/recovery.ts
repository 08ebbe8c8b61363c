import { Type } from 'typebox';
import { route } from '../../route.ts';
import {
  RecoverAccount,
  Recovered,
  RecoverySet,
  RotatedToken,
  SetRecovery,
} from '../schemas/recovery.ts';

const writes = [
  'bad_request',
  'unauthorized',
  'account_suspended',
  'rate_limited',
  'body_too_large',
  'internal',
  'unavailable',
] as const;

export const rotateToken = route({
  method: 'POST',
  path: '/api/v1/me/token',
  name: 'rotateToken',
  summary: 'Replace your token; the old one is unusable at once',
  body: Type.Object({}),
  body_is_optional: true,
  answers: { 200: RotatedToken },
  refusals: [...writes, 'idempotency_conflict'],
});

export const setRecovery = route({
  method: 'PUT',
  path: '/api/v1/me/recovery',
  name: 'setRecovery',
  summary: 'Set or replace the passphrase that recovers your account',
  body: SetRecovery,
  answers: { 200: RecoverySet },
  refusals: [...writes, 'policy_outdated'],
});

export const removeRecovery = route({
  method: 'DELETE',
  path: '/api/v1/me/recovery',
  name: 'removeRecovery',
  summary: 'Remove the passphrase that recovers your account',
  answers: { 200: RecoverySet },
  refusals: [...writes, 'policy_outdated'],
});

export const recoverAccount = route({
  method: 'POST',
  path: '/api/v1/accounts/recover',
  name: 'recoverAccount',
  summary: 'Get a new token with your passphrase; every older token stops working',
  body: RecoverAccount,
  answers: { 200: Recovered },
  refusals: [
    'bad_request',
    'unauthorized',
    'account_suspended',
    'recovery_failed',
    'idempotency_conflict',
    'rate_limited',
    'body_too_large',
    'internal',
    'unavailable',
  ],
});
