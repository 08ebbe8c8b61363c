// The thread of `VerifyThread`: answers packed claims in their order, by an octet for each, 1 if it holds.
import { parentPort } from 'node:worker_threads';
import sodium from 'sodium-native';
import { unpackClaims } from './pack-claims.ts';

/** So many are answered while the rest is verified: who asked would otherwise stand still meanwhile, and this thread after. */
const answered_at_once = 16;

parentPort?.on('message', (packed: Uint8Array<ArrayBuffer>) => {
  let holds: number[] = [];
  for (const { public_key, signature, message } of unpackClaims(packed)) {
    holds.push(Number(sodium.crypto_sign_verify_detached(signature, message, public_key)));
    if (holds.length < answered_at_once) continue;
    parentPort?.postMessage(Uint8Array.from(holds));
    holds = [];
  }
  if (holds.length > 0) parentPort?.postMessage(Uint8Array.from(holds));
});
