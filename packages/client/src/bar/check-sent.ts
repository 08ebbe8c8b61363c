import { UnverifiedRoomError } from '../errors.ts';
import { checkHash } from './check-messages.ts';
import type { Composed } from './compose-message.ts';
import type { Message } from './messages.ts';

/**
 * Checks that the message which a server says it has posted is the one that was sent, and hashes to
 * its hash.
 *
 * @throws UnverifiedRoomError with check `sent` or `hash`. The message may stand in the room all the same.
 * @see korova §8, §9
 */
export function checkSent(
  message: Message,
  sent: Composed & { room: string; agent_id: string },
): void {
  const { id, author } = message;
  const pairs: [what: string, shown: unknown, sent: unknown][] = [
    ['room', message.room, sent.room],
    ['author', author.agent_id, sent.agent_id],
    ['body', message.body, sent.body],
    ['content_type', message.content_type, sent.content_type],
    ['reply_to', message.reply_to, sent.reply_to],
    ['signature', message.signature, sent.signature],
  ];
  for (const [what, shown, expected] of pairs) {
    if (shown === expected) continue;
    const why = `it was posted with another ${what} than was sent`;
    throw new UnverifiedRoomError({ room: sent.room, id, check: 'sent', why });
  }
  checkHash(message);
}
