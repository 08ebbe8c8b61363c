/**
 * The key of the document's test vectors. Its seed is public, so a server refuses it ("burned").
 * Seed and public key in base64.
 *
 * @see guestbook §Test-vectors (D-BOOK-09)
 */
export const example_key = {
  seed: '8TYFKvc3XDjB/A5CfOGwft/u4PTKxg0gCvNZjWx5JqY=',
  public_key: 'Tqu34PU3voA3cliHj0hQPb6QzY6HlkaFbATOdkNYCFc=',
  fingerprint: '5aebeaffeacd1d5f1fe865907b32666a0777b54fd537d6dcb67e5e4d3a265624',
} as const;
