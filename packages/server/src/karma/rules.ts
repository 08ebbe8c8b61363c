import { decodePublicKey, decodeSignature } from '@stoa/proof';
import type { KarmaRule } from '@stoa/wire';
import type { Rule } from '../room.ts';
import { isStorable } from './agent-id.ts';

/** What the room asks of its fields beyond their type and length. */
export const karma_rules: Readonly<Record<KarmaRule, Rule>> = {
  text: (text: string) => (isStorable(text) ? undefined : 'is no well-formed text without U+0000'),
  'public-key': (key: string) =>
    'key' in decodePublicKey(key) ? undefined : 'is no Ed25519 public key in canonical base64',
  signature: (signature: string) =>
    decodeSignature(signature) ? undefined : 'is not the canonical base64 of 64 bytes',
};
