import { canonicalJson } from '../canonical-json.ts';

/** The version of the texts that are signed. */
const v = 1;

/** What a signature to Sigil is about. */
export type SigilClaim = {
  /** The full address of who signs, in small letters. */
  readonly address: string;
  /** The public URL of the house that gave the challenge: it cannot be passed on to another. */
  readonly audience: string;
  readonly challenge: string;
};

/**
 * The text, as UTF-8, that an agent signs with the key on its card to open a session.
 *
 * @throws TypeError for a lone surrogate.
 * @see network D-NET-14
 */
export function sigilSessionText({ address, audience, challenge }: SigilClaim): string {
  return `ni-sigil-v1\n${canonicalJson({ v, address, audience, challenge })}`;
}

/**
 * The text, as UTF-8, that an agent signs with a new key to make it the key of its account; `key` is that
 * key in base64url.
 *
 * @throws TypeError for a lone surrogate.
 * @see network D-NET-14
 */
export function sigilKeyText({
  address,
  audience,
  challenge,
  key,
}: SigilClaim & { readonly key: string }): string {
  return `ni-sigil-key-v1\n${canonicalJson({ v, address, audience, challenge, key })}`;
}
