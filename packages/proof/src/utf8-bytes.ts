const encoder = new TextEncoder();

/**
 * The UTF-8 bytes of a text.
 *
 * @throws TypeError when the text holds a lone surrogate: a plain encoder would put U+FFFD in its
 *   place, and two different texts would then share one hash and one signature.
 * @see RFC 3629 section 3
 */
export function utf8Bytes(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new TypeError('the text holds a lone surrogate');
  return encoder.encode(text);
}
