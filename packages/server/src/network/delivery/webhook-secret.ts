import type { Deps } from '../../deps.ts';
import { deriveKey, seal, unseal } from '../../sealed-box.ts';

const prefix = 'whsec_';
const secret_bytes = 32;
const label = 'stoa-net-webhook-secret-v1';

/** A new secret as its owner sees it, once. */
export const newSecret = ({ random }: Pick<Deps, 'random'>): string =>
  prefix + random.bytes(secret_bytes).toString('base64');

/** What is stored of a secret: a box that opens with the house's key alone (NET-192). */
export function sealSecret(
  { random, house_key }: Pick<Deps, 'random' | 'house_key'>,
  account: string,
  secret: string,
): Buffer {
  return seal(random, deriveKey(house_key, label), account, Buffer.from(secret));
}

/** The secret in a box. */
export function openSecret(
  { house_key }: Pick<Deps, 'house_key'>,
  account: string,
  box: Uint8Array,
): string {
  const secret = unseal(deriveKey(house_key, label), account, box);
  if (!secret) throw new Error('the secret of a webhook does not open with the key of the house');
  return secret.toString();
}
