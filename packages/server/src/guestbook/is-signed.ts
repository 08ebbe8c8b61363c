import { decodeBase64 } from '@stoa/proof';
import type { Deps } from '../deps.ts';

/** Whether `signature` covers `payload` under `public_key`; both are base64 that passed the rules. */
export async function isSigned(
  deps: Pick<Deps, 'signatures'>,
  signed: { public_key: string; payload: string; signature: string },
): Promise<boolean> {
  const public_key = decodeBase64(signed.public_key, 32);
  const signature = decodeBase64(signed.signature, 64);
  if (!public_key || !signature) return false;
  return deps.signatures.verify({ public_key, message: signed.payload, signature });
}
