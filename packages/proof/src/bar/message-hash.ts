import { sha256Hex } from '../sha256.ts';

/** How the hash of a message is made, as servers print it; real line feeds stand between its parts. */
export const canonical_format =
  'korova-chain-v1\n{prev_hash}\n{id}\n{room_slug}\n{author_id}\n{created_at}\n{content_type}\n{sha256_hex(body)}';

/** A message without its body: what its hash covers. */
export type MessageLink = {
  /** `hash` of the room's message before, 64 zeros for its first */
  readonly prev_hash: string;
  readonly id: number;
  /** slug of the room */
  readonly room: string;
  readonly author_id: string;
  /** `YYYY-MM-DDTHH:MM:SSZ` */
  readonly created_at: string;
  readonly content_type: string;
  /** lowercase hex SHA-256 over the exact UTF-8 of the body */
  readonly body_sha256: string;
};

/** What the hash of a message is taken of, in UTF-8. */
export function linkText(link: MessageLink): string {
  const { prev_hash, id, room, author_id, created_at, content_type, body_sha256 } = link;
  return `korova-chain-v1\n${prev_hash}\n${id}\n${room}\n${author_id}\n${created_at}\n${content_type}\n${body_sha256}`;
}

/**
 * The hash of a message: 64 lowercase hex digits.
 *
 * @throws TypeError when a member holds a lone surrogate.
 * @see korova §9
 */
export function messageHash(link: MessageLink): string {
  return sha256Hex(linkText(link));
}
