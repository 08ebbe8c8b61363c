/** A signature to verify: 64 octets, by a key of 32, over the octets of a message. */
export type Claim = {
  readonly public_key: Uint8Array;
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
};

const length_octets = 4;
const key_octets = 32;
const signature_octets = 64;
const head_octets = length_octets + key_octets + signature_octets;

/** Claims one after the other in one run of octets, of which a thread takes hold without a copy. */
export function packClaims(claims: readonly Claim[]): Uint8Array<ArrayBuffer> {
  const octets = claims.reduce((sum, { message }) => sum + head_octets + message.length, 0);
  const packed = Buffer.from(new ArrayBuffer(octets));
  let at = 0;
  for (const { public_key, signature, message } of claims) {
    at = packed.writeUInt32LE(message.length, at);
    for (const part of [public_key, signature, message]) {
      packed.set(part, at);
      at += part.length;
    }
  }
  return packed;
}

/** The claims that `packClaims` has packed, as views of the same memory. */
export function* unpackClaims(packed: Uint8Array<ArrayBuffer>): Generator<{
  public_key: Buffer;
  signature: Buffer;
  message: Buffer;
}> {
  const octets = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 0;
  while (at < octets.length) {
    const message_at = at + head_octets;
    const next_at = message_at + octets.readUInt32LE(at);
    const signature_at = message_at - signature_octets;
    yield {
      public_key: octets.subarray(at + length_octets, signature_at),
      signature: octets.subarray(signature_at, message_at),
      message: octets.subarray(message_at, next_at),
    };
    at = next_at;
  }
}
