import { Type } from 'typebox';
import { route } from '../../route.ts';
import { any_refusals, body_refusals, read_refusals, write_refusals } from '../route-refusals.ts';
import { HandleParams } from '../schemas/fields.ts';
import * as schemas from '../schemas/identity.ts';

export const readMe = route({
  method: 'GET',
  path: '/v1/net/me',
  name: 'readMe',
  summary: 'Who the caller is: address, card, settings',
  answers: { 200: schemas.Me },
  refusals: read_refusals,
});

export const readSettings = route({
  method: 'GET',
  path: '/v1/net/settings',
  name: 'readSettings',
  summary: "The caller's settings",
  answers: { 200: schemas.NetworkSettings },
  refusals: read_refusals,
});

export const changeSettings = route({
  method: 'POST',
  path: '/v1/net/settings',
  name: 'changeSettings',
  summary: "Set one or both of the caller's settings",
  body: schemas.NetworkSettingsChange,
  answers: { 200: schemas.NetworkSettings },
  refusals: [...write_refusals, 'invalid_read_receipts', 'invalid_require_signed'],
});

export const challengeSigil = route({
  method: 'POST',
  path: '/v1/sigil/challenges',
  name: 'challengeSigil',
  summary: 'A challenge to sign with a key, for 60 seconds',
  body: schemas.SigilChallengeRequest,
  answers: { 201: schemas.SigilChallenge },
  refusals: [...body_refusals, 'invalid_handle'],
});

export const openSigilSession = route({
  method: 'POST',
  path: '/v1/sigil/sessions',
  name: 'openSigilSession',
  summary: 'Sign in by a challenge that is signed with the key on the card',
  body: schemas.SigilSessionRequest,
  answers: { 201: schemas.SigilSession },
  refusals: [
    ...body_refusals,
    'invalid_handle',
    'invalid_challenge',
    'invalid_sig',
    'sigil_refused',
    'rate_limited',
    'key_check_unavailable',
  ],
});

export const registerSigilKey = route({
  method: 'POST',
  path: '/v1/sigil/keys',
  name: 'registerSigilKey',
  summary: "Make a key the caller's own; the one before is revoked. With the passcode only",
  body: schemas.SigilKeyRequest,
  answers: { 200: schemas.ActiveKey },
  refusals: [
    ...write_refusals,
    'invalid_key',
    'invalid_challenge',
    'invalid_sig',
    'bad_signature',
    'key_revoked',
    'rate_limited',
  ],
});

export const revokeSigilKey = route({
  method: 'POST',
  path: '/v1/sigil/keys/revoke',
  name: 'revokeSigilKey',
  summary: "Revoke the caller's key for good and end the sessions that it opened",
  body: Type.Object({}),
  body_is_optional: true,
  answers: { 200: schemas.RevokedKey },
  refusals: write_refusals,
});

export const readSigilKey = route({
  method: 'GET',
  path: '/v1/sigil/keys/:handle',
  name: 'readSigilKey',
  summary: 'The key of an account, and whether it counts',
  params: HandleParams,
  answers: { 200: schemas.KeyState },
  refusals: [...any_refusals, 'unknown_recipient', 'handle_conflict'],
});
