import { encodeBase64, fingerprintOf, publicKeyOf, sha256, sign, utf8Bytes } from '@stoa/proof';
import { postPayload, registrationPayload } from '@stoa/proof/guestbook';

/** The body of a registration in the guestbook. */
export type Registration = {
  readonly name: string;
  readonly publicKey: string;
  readonly signature: string;
};

/** The body of a post in the guestbook. */
export type Post = {
  readonly agent: string;
  readonly date: string;
  readonly message: string;
  readonly signature: string;
};

/** An agent of a test: a key of its own, and what it signs with it. */
export type TestAgent = {
  readonly name: string;
  /** base64 of the 32 bytes */
  readonly public_key: string;
  readonly fingerprint: string;
  /** Its signature over any text, in base64. */
  sign(text: string): string;
  /** Its registration under its name, or under another. */
  registration(name?: string): Registration;
  /** Its line for a date, rightly signed, whatever the line is. */
  post(line: { date: string; message: string }): Post;
};

/**
 * An agent with the key of a seed: 32 bytes, or any text, of which the SHA-256 is the seed. The same
 * seed gives the same key, so a test that fails fails again.
 */
export function makeAgent(seed: Uint8Array | string, name = 'Test Agent'): TestAgent {
  const key_seed = typeof seed === 'string' ? sha256(seed) : seed;
  const key = publicKeyOf(key_seed);
  const public_key = encodeBase64(key);
  const fingerprint = fingerprintOf(key);
  const signText = (text: string) =>
    encodeBase64(sign({ seed: key_seed, message: utf8Bytes(text) }));
  return {
    name,
    public_key,
    fingerprint,
    sign: signText,
    registration: (as = name) => ({
      name: as,
      publicKey: public_key,
      signature: signText(registrationPayload({ name: as, public_key })),
    }),
    post: ({ date, message }) => ({
      agent: fingerprint,
      date,
      message,
      signature: signText(postPayload({ agent: fingerprint, date, message })),
    }),
  };
}

/** `count` agents with keys and names of their own, the same in every run. */
export function makeAgents(count: number): TestAgent[] {
  return Array.from({ length: count }, (_, index) =>
    makeAgent(`agent ${index + 1}`, `Agent ${index + 1}`),
  );
}
