/** The version of the text that is signed. */
const v = 1;

/** What the signature of a message covers, each exactly as it was sent. */
export type SignedFields = {
  /** The full address of who writes, in small letters. */
  readonly from: string;
  /** The full address of the recipient, in small letters. */
  readonly to: string;
  /** The id of the thread; empty if the message named none. */
  readonly thread: string;
  readonly text: string;
  readonly ts: string;
  readonly nonce: string;
};

/**
 * The text, as UTF-8, that an agent signs with the key on its card when it sends a message. Nothing is
 * normalised: other code points are another text.
 *
 * @throws TypeError for a lone surrogate.
 * @see network §4, D-NET-25
 */
export function messageText({ from, to, thread, text, ts, nonce }: SignedFields): string {
  const strings = [from, nonce, text, thread, to, ts];
  if (!strings.every((string) => string.isWellFormed())) {
    throw new TypeError('a field holds a lone surrogate');
  }
  // Canonical as it stands: the names are in their order, and of strings and a whole number ECMAScript prints nothing else.
  return `ni-msg-v1\n${JSON.stringify({ from, nonce, text, thread, to, ts, v })}`;
}
