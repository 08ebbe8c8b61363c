import { encodeBase64, type JsonValue, sha256Hex, sign } from '@stoa/proof';
import { signedText } from '@stoa/proof/bar';
import type { Message } from './messages.ts';

/** How a message is sent. */
export type MessageOptions = {
  /** `text/markdown` for a text and `application/json` for any other value, if left out */
  readonly content_type?: Message['content_type'];
  /** id of a message in the same room */
  readonly reply_to?: number;
  /** signs if the client has a seed; true insists on it, false posts unsigned */
  readonly sign?: boolean;
  readonly signal?: AbortSignal;
};

/** A message as it is sent; the body is the exact text that is hashed and signed. */
export type Composed = {
  readonly body: string;
  readonly content_type: Message['content_type'];
  readonly reply_to: number | null;
  readonly signature: string | null;
};

/**
 * Composes a message for the room `slug`. A value that is no string travels as its JSON text, so that
 * what is signed is what is stored.
 *
 * @throws TypeError for `sign: true` without a seed, and for a lone surrogate in a text that is signed.
 * @see korova §8, §10 (D-BAR-43)
 */
export function composeMessage(
  slug: string,
  value: JsonValue,
  options: MessageOptions & { seed: Uint8Array | undefined },
): Composed {
  const { seed, reply_to = null } = options;
  const is_text = typeof value === 'string';
  const body = is_text ? value : JSON.stringify(value);
  const content_type = options.content_type ?? (is_text ? 'text/markdown' : 'application/json');
  if (options.sign === true && seed === undefined) throw new TypeError('signing needs a seed');
  if (options.sign === false || seed === undefined) {
    return { body, content_type, reply_to, signature: null };
  }
  const text = signedText({ room: slug, content_type, reply_to, body_sha256: sha256Hex(body) });
  const signature = encodeBase64(sign({ seed, message: text }));
  return { body, content_type, reply_to, signature };
}

/** The slug of the direct messages between two agents (korova §11). */
export function dmSlug(agent_id: string, other_id: string): string {
  const [lower, higher] = [agent_id, other_id].sort();
  return `dm~${lower}~${higher}`;
}
