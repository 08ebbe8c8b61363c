import { decodePublicKey, decodeSignature } from '@stoa/proof';
import type { Karma } from './karma.ts';

/** Whether `signature` over `text` is of `public_key`; both are base64 that passed the rules. */
export async function verifySigned(
  { signatures }: Pick<Karma, 'signatures'>,
  signed: { public_key: string; signature: string; text: string },
): Promise<boolean> {
  const decoded = decodePublicKey(signed.public_key);
  const signature = decodeSignature(signed.signature);
  if (!('key' in decoded) || !signature) return false;
  return signatures.verify({ public_key: decoded.key, message: signed.text, signature });
}
