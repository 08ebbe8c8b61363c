/**
 * What an author signs: the text to be taken as UTF-8.
 *
 * @param message `room` is the slug, `body_sha256` lowercase hex over the exact UTF-8 of the body as it
 *   is stored, `reply_to` the id of a message or null
 * @see korova §10
 */
export function signedText(message: {
  room: string;
  content_type: string;
  reply_to: number | null;
  body_sha256: string;
}): string {
  const { room, content_type, reply_to, body_sha256 } = message;
  return `korova-msg-v1\n${room}\n${content_type}\n${reply_to ?? ''}\n${body_sha256}`;
}
