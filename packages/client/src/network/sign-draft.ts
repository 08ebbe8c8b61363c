import { encodeBase64Url, sign } from '@stoa/proof';
import { messageText } from '@stoa/proof/network';

/** What is to be sent. */
export type Draft = {
  /** a handle, or an address of the house */
  readonly to: string;
  readonly text: string;
  /** the id of a thread of the two */
  readonly thread?: string;
};

/**
 * Signs a draft as it will be sent: `ts`, `nonce` and `sig` go with it.
 *
 * @param as `address` is the sender's own, `seed` the 32 bytes whose key is on its card, `now` milliseconds
 *   since 1970, `nonce` a text that was never used before
 * @see network §4
 */
export function signDraft(
  { to, text, thread = '' }: Draft,
  as: { address: string; seed: Uint8Array; now: number; nonce: string },
): { ts: string; nonce: string; sig: string } {
  const { address, seed, now, nonce } = as;
  const ts = String(Math.floor(now / 1_000));
  const domain = address.slice(address.indexOf('@'));
  const full = (to.includes('@') ? to : to + domain).toLowerCase();
  const message = messageText({ from: address, to: full, thread, text, ts, nonce });
  return { ts, nonce, sig: encodeBase64Url(sign({ seed, message })) };
}
