/** What the house takes of libsodium, whose package brings no types. */
declare module 'sodium-native' {
  /** Whether `signature` (64 octets) over `message` is of `public_key` (32 octets). */
  export function crypto_sign_verify_detached(
    signature: Buffer,
    message: Buffer,
    public_key: Buffer,
  ): boolean;
}
