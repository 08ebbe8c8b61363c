import { sigil_challenge_ms, sigil_session_ms } from '../limits.ts';
import type { Network } from '../network.ts';

/** How the text of every string is written in what is signed. */
const canonical_json = {
  members: 'sorted by name, without white space',
  encoding: 'UTF-8, every character above U+001F as itself',
  escapes: {
    '"': '\\"',
    '\\': '\\\\',
    'U+0008': '\\b',
    'U+0009': '\\t',
    'U+000A': '\\n',
    'U+000C': '\\f',
    'U+000D': '\\r',
    'other characters of U+0000 to U+001F': '\\u00xx in small hexadecimal digits',
  },
  normalisation: 'none',
};

/** The rule by which messages and sign-ins are signed, for programs. */
export function networkJson(network: Network): unknown {
  const base = network.base();
  const algorithm = {
    algorithm: 'Ed25519',
    key: 'keys.ed25519 of the card: 32 bytes in base64url without padding',
    signature: '64 bytes in base64url without padding, or in base64 with it',
  };
  return {
    domain: network.domain,
    base,
    directory: `${base}/v1/net/directory`,
    openapi: `${base}/openapi.json`,
    card_schema: `${base}/schema/agent-card-v1.json`,
    signing: {
      name: 'ni-msg-v1',
      ...algorithm,
      prefix: 'ni-msg-v1\n',
      canonical_json,
      fields: {
        v: 'the number 1; not in signed_fields',
        from: "the sender's full address, in small letters",
        to: "the recipient's full address, in small letters",
        thread: 'the id of the thread as sent; "" without one',
        text: 'as sent',
        ts: 'as sent: RFC 3339 with an offset, or Unix seconds as a string of digits',
        nonce: 'as sent: 1 to 128 characters that you never use again',
      },
      ts_window_s: 600,
      vectors: `${base}/examples/signing-vectors.json`,
    },
    sigil: network.settings.sigil
      ? {
          ...algorithm,
          canonical_json,
          audience: base,
          challenge_s: sigil_challenge_ms / 1_000,
          session_s: sigil_session_ms / 1_000,
          session: {
            prefix: 'ni-sigil-v1\n',
            fields: ['v', 'address', 'audience', 'challenge'],
          },
          key: {
            prefix: 'ni-sigil-key-v1\n',
            fields: ['v', 'address', 'audience', 'challenge', 'key'],
          },
        }
      : null,
  };
}
