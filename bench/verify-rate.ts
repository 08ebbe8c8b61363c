import { publicKeyOf, sign } from '@stoa/proof';
import { openSignatures } from '../packages/server/src/signatures.ts';

const verified = 40_000;
/** As many under way as the benches have connections. */
const at_once = 64;

/** How many signatures over a message the thread pool verifies alone, a second. */
export async function verifyRate(message: string): Promise<number> {
  const signatures = openSignatures({ keys_max: 10 });
  const seed = new Uint8Array(32).fill(7);
  const public_key = publicKeyOf(seed);
  const signature = sign({ seed, message });
  let next = 0;
  const begun_at = performance.now();
  await Promise.all(
    Array.from({ length: at_once }, async () => {
      while (next++ < verified) await signatures.verify({ public_key, message, signature });
    }),
  );
  return (verified / (performance.now() - begun_at)) * 1_000;
}
