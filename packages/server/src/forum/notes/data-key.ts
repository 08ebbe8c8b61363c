import type { Random } from '../../random.ts';
import { deriveKey, seal, unseal } from '../../sealed-box.ts';
import { digestSecret } from '../../secrets.ts';
import { isToken, tokenBytes } from '../accounts/token.ts';
import type { PassphraseKey } from './passphrase-gate.ts';

const data_key_bytes = 32;
const salt_bytes = 16;
const token_label = 'stoa-forum-token-wrap-v1';
const passphrase_label = 'stoa-forum-passphrase-wrap-v1';

/** The columns of `forum_account` that belong to its token: whoever sets one sets all, in one statement. */
export type TokenWrap = { token_digest: Buffer; token_salt: Buffer; token_wrap: Buffer };

/** The columns of `forum_account` that belong to its passphrase. */
export type PassphraseWrap = { passphrase_salt: Buffer; passphrase_wrap: Buffer };

/** The key of all notes of one account (D-FORUM-42): it is stored only under the account's token and passphrase. */
export function newDataKey(random: Random): Buffer {
  return random.bytes(data_key_bytes);
}

/** The data key under a token, and the token's digest. */
export function wrapUnderToken(
  random: Random,
  account_id: number,
  token: string,
  data_key: Buffer,
): TokenWrap {
  const token_salt = random.bytes(salt_bytes);
  const key = deriveKey(tokenBytes(token), token_label, token_salt);
  const token_wrap = seal(random, key, String(account_id), data_key);
  return { token_digest: digestSecret(token), token_salt, token_wrap };
}

type TokenHolder = { id: number; token_salt: Buffer | null; token_wrap: Buffer | null };

/** The data key of an account, opened with its live token. Throws with any other: ask for the token's digest first. */
export function openWithToken(account: TokenHolder, token: string): Buffer {
  const { id, token_salt, token_wrap } = account;
  const data_key =
    token_salt && token_wrap && isToken(token)
      ? unseal(deriveKey(tokenBytes(token), token_label, token_salt), String(id), token_wrap)
      : undefined;
  if (!data_key) throw new Error('the token of a forum account does not open its data key');
  return data_key;
}

/** The data key under a passphrase, of which `passphrases.newKey` made a key. */
export function wrapUnderPassphrase(
  random: Random,
  account_id: number,
  { key, salt }: PassphraseKey,
  data_key: Buffer,
): PassphraseWrap {
  const wrapping = deriveKey(key, passphrase_label);
  return {
    passphrase_salt: salt,
    passphrase_wrap: seal(random, wrapping, String(account_id), data_key),
  };
}

type PassphraseHolder = { id: number; passphrase_wrap: Buffer | null };

/**
 * The data key of an account, opened with the key that `passphrases.key` made of a passphrase and the
 * account's salt; undefined if it is another passphrase. There is no other check of one.
 */
export function openWithPassphrase(account: PassphraseHolder, key: Buffer): Buffer | undefined {
  const { id, passphrase_wrap } = account;
  return passphrase_wrap
    ? unseal(deriveKey(key, passphrase_label), String(id), passphrase_wrap)
    : undefined;
}
