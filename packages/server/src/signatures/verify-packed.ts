// The thread of `VerifyThread`: answers each packed list of claims by an octet for each, 1 if it holds.
import { parentPort } from 'node:worker_threads';
import sodium from 'sodium-native';
import { unpackClaims } from './pack-claims.ts';

parentPort?.on('message', (packed: Uint8Array<ArrayBuffer>) => {
  const holds = Array.from(unpackClaims(packed), ({ public_key, signature, message }) =>
    Number(sodium.crypto_sign_verify_detached(signature, message, public_key)),
  );
  parentPort?.postMessage(Uint8Array.from(holds));
});
