import { decodeCardKey, messageText, type SignedFields } from '@stoa/proof/network';
import { memo } from '../../memo.ts';
import { RefusalError } from '../../refusal.ts';
import type { Account } from '../accounts/account-store.ts';
import { readKey } from '../cards/read-card.ts';
import { requireCountingKey } from '../identity/sigil-keys.ts';
import { card_keys_kept_max } from '../limits.ts';
import type { Network } from '../network.ts';

/** To find that a key is a point that may sign takes as long as all else about a message. */
const decodeKey = memo(card_keys_kept_max, (text) => {
  const decoded = decodeCardKey(text);
  return 'fault' in decoded ? decoded : { key: Buffer.from(decoded.key) };
});

/** Refuses a signed message of who has sent too many bad ones, before any key is looked at (NET-120). */
export async function refuseForger(network: Network, { account }: Account): Promise<void> {
  const taken = await network.bad_signatures.look(account);
  if (!taken.ok) throw tooManyBad(taken.retry_after_ms);
}

function tooManyBad(retry_after_ms: number): RefusalError {
  const hint = 'Wait as many seconds as retry_after says, or send the message unsigned.';
  return new RefusalError('rate_limited', { retry_after_ms, hint });
}

/**
 * The key on the sender's own card, if the signature is by it; refuses it otherwise, and counts that. The
 * card is read less than five seconds ago, and a key that Sigil knows as revoked or different verifies
 * nothing (NET-110 to NET-119).
 */
export async function verifyDraft(
  network: Network,
  sender: Account,
  { fields, signature }: { fields: SignedFields; signature: Uint8Array },
): Promise<Buffer> {
  const { key: text } = await readKey(network, sender);
  const decoded = text === null ? undefined : decodeKey(text);
  if (!decoded || 'fault' in decoded) throw await badSignature(network, sender, 'no_key');
  const { key } = decoded;
  await requireCountingKey(network, sender, key);
  const message = messageText(fields);
  const is_signed = await network.signatures.verify({ public_key: key, message, signature });
  if (!is_signed) throw await badSignature(network, sender, 'mismatch');
  return key;
}

async function badSignature(
  { bad_signatures }: Network,
  { account }: Account,
  reason: 'no_key' | 'mismatch',
): Promise<RefusalError> {
  const taken = await bad_signatures.count(account);
  // Of many at once no more are told than may be.
  if (!taken.ok) return tooManyBad(taken.retry_after_ms);
  const detail =
    reason === 'no_key' ? 'There is no valid key on your card to verify it by.' : undefined;
  return new RefusalError('bad_signature', { more: { reason }, ...(detail ? { detail } : {}) });
}
