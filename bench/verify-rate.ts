import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

const verifyOnPool = promisify(verify);

const verified = 40_000;
/** As many under way as the benches have connections. */
const at_once = 64;

/** How many Ed25519 signatures over a message Node's thread pool verifies alone, a second. */
export async function verifyRate(message: string): Promise<number> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const public_key = createPublicKey(privateKey);
  const octets = Buffer.from(message);
  const signature = sign(null, octets, privateKey);
  let next = 0;
  const begun_at = performance.now();
  await Promise.all(
    Array.from({ length: at_once }, async () => {
      while (next++ < verified) await verifyOnPool(null, octets, public_key, signature);
    }),
  );
  return (verified / (performance.now() - begun_at)) * 1_000;
}
