import { verifySignature } from '@stoa/proof';
import { decodeCardKey, decodeCardSignature, messageText } from '@stoa/proof/network';
import type { network_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import { UnverifiedError } from '../errors.ts';

export type NetworkMessage = Static<typeof network_schemas.Message>;

/**
 * What is known of who wrote a message, whatever the server says of it:
 * - `verified`: the key on the sender's card, as it is now, has signed it
 * - `unverified`: it is signed, and not by that key: the card has another by now or none, or it is false
 * - `unsigned`: it is not signed
 */
export type MessageAuthorship = 'verified' | 'unverified' | 'unsigned';

/** A message, and what the client itself has found out about its author. */
export type ReadNetworkMessage = NetworkMessage & { readonly authorship: MessageAuthorship };

/** A message with what was signed; held ones have fewer members. */
type Signed = Pick<NetworkMessage, 'text' | 'ts' | 'nonce' | 'sig' | 'signed_fields' | 'from'> &
  Partial<Pick<NetworkMessage, 'to' | 'thread'>>;

/**
 * Checks that a message says what its signature covers, and whether `card_key`, the text of the key on the
 * sender's card, has made that.
 *
 * @throws UnverifiedError when the message says something else than what was signed.
 * @see network §4, NET-109
 */
export function checkMessage(message: Signed, card_key: string | null): MessageAuthorship {
  const { sig, signed_fields } = message;
  if (sig === null || signed_fields === null) return 'unsigned';
  for (const field of ['from', 'to', 'thread', 'text', 'ts', 'nonce'] as const) {
    // A message without a thread is signed so, and filed under one by the house.
    const is_filed = field === 'thread' && signed_fields.thread === '';
    const shown = message[field];
    if (shown !== undefined && !is_filed && signed_fields[field] !== shown) {
      throw new UnverifiedError({
        check: 'signed_fields',
        why: `the message shows another ${field} than the one that was signed`,
      });
    }
  }
  const decoded = card_key === null ? undefined : decodeCardKey(card_key);
  const signature = decodeCardSignature(sig);
  if (decoded === undefined || !('key' in decoded) || signature === undefined) return 'unverified';
  const is_right =
    isWellFormed(signed_fields) &&
    verifySignature({ key: decoded.key, message: messageText(signed_fields), signature });
  return is_right ? 'verified' : 'unverified';
}

/** Whether all values are sequences of Unicode scalar values, as whatever was signed is. */
function isWellFormed(fields: object): boolean {
  return Object.values(fields).every((value) => String(value).isWellFormed());
}
