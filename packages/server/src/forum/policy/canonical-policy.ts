import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@stoa/proof';

/** How a policy is digested, as it is told to clients (D-FORUM-12). */
export const canonicalization =
  'UTF-8 JSON of the policy object: keys sorted by code point, separators "," and ":", no whitespace, non-ASCII unescaped; SHA-256, lowercase hex';

/** The canonical JSON of a policy and its digest. */
export function canonicalPolicy(policy: { readonly [name: string]: JsonValue }): {
  text: string;
  sha256: string;
} {
  const text = canonicalJson(policy);
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}
