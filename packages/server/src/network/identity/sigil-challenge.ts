import { digestSecret, equalDigests, keyedDigest } from '../../secrets.ts';
import { sigil_challenge_ms } from '../limits.ts';
import type { Network } from '../network.ts';

const prefix = 'sgc_';
const instant_bytes = 6;
const random_bytes = 16;
const head_bytes = instant_bytes + random_bytes;
const seal_bytes = 16;

/** What the house writes under its challenges: nothing is stored until one has worked. */
function seal({ house_key }: Network, address: string, head: Buffer): Buffer {
  const text = `net-sigil-challenge ${address} ${head.toString('hex')}`;
  return keyedDigest(house_key, text).subarray(0, seal_bytes);
}

/** A new challenge for an address, whoever has it, if anybody. */
export function mintChallenge(
  network: Network,
  address: string,
): { challenge: string; expires_at: number } {
  const { clock, random } = network;
  const expires_at = clock.now() + sigil_challenge_ms;
  const head = Buffer.alloc(head_bytes);
  head.writeUIntBE(expires_at, 0, instant_bytes);
  random.bytes(random_bytes).copy(head, instant_bytes);
  const octets = Buffer.concat([head, seal(network, address, head)]);
  return { challenge: prefix + octets.toString('base64url'), expires_at };
}

/** Reads a challenge that this house gave for `address` and that has not run out; else undefined. */
export function readChallenge(
  network: Network,
  address: string,
  challenge: string,
): { digest: Buffer; expires_at: number } | undefined {
  if (!challenge.startsWith(prefix)) return undefined;
  const octets = Buffer.from(challenge.slice(prefix.length), 'base64url');
  if (octets.length !== head_bytes + seal_bytes) return undefined;
  // A lenient decoder reads several spellings; one challenge would then work several times.
  if (prefix + octets.toString('base64url') !== challenge) return undefined;
  const head = octets.subarray(0, head_bytes);
  if (!equalDigests(octets.subarray(head_bytes), seal(network, address, head))) return undefined;
  const expires_at = head.readUIntBE(0, instant_bytes);
  if (expires_at <= network.clock.now()) return undefined;
  return { digest: digestSecret(challenge), expires_at };
}
