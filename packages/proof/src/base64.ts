/**
 * Decodes standard base64 of exactly `bytes_exact` bytes.
 *
 * Answers `undefined` for every text but the one canonical spelling of its bytes: padded, without
 * white space, unused bits zero. Keys and signatures are hashed as text, and with a lenient decoder
 * one key would have several.
 *
 * @see RFC 4648 sections 3.5 and 4
 */
export function decodeBase64(text: string, bytes_exact: number): Uint8Array | undefined {
  if (text.length !== 4 * Math.ceil(bytes_exact / 3)) return undefined;
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  if (binary.length !== bytes_exact || btoa(binary) !== text) return undefined;
  const bytes = new Uint8Array(bytes_exact);
  for (let index = 0; index < bytes_exact; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/**
 * Standard base64 of the bytes, padded, on one line.
 *
 * @see RFC 4648 section 4
 */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * Decodes base64url without padding of exactly `bytes_exact` bytes; `undefined` for every text but the one
 * canonical spelling of its bytes, as `decodeBase64`.
 *
 * @see RFC 4648 sections 3.5 and 5
 */
export function decodeBase64Url(text: string, bytes_exact: number): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  const padding = '='.repeat((4 - (text.length % 4)) % 4);
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding, bytes_exact);
}

/**
 * Base64url of the bytes without padding.
 *
 * @see RFC 4648 section 5
 */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
