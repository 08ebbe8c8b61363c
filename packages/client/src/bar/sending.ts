import type { JsonValue } from '@stoa/proof';
import { bar_routes } from '@stoa/wire';
import type { CallOptions, CallRoute } from './call-route.ts';
import { checkSent } from './check-sent.ts';
import { type Composed, composeMessage, dmSlug, type MessageOptions } from './compose-message.ts';
import type { Message } from './messages.ts';
import type { RoomHistory } from './room-history.ts';
import type { Answered } from './send-to-route.ts';
import type { Session } from './session.ts';

/**
 * Saying things. A text is posted as `text/markdown`, any other value as `application/json`; both are
 * signed if the client has a seed. What the server says it has posted is held to what was sent.
 *
 * @throws RefusedError, UnreachableError (it may have been posted all the same: read before repeating),
 *   UnexpectedAnswerError, UnverifiedRoomError
 */
export type BarSending = {
  /** Posts to a room that the agent is in (korova §8, §10). */
  post(slug: string, body: JsonValue, options?: MessageOptions): Promise<Message>;

  /** Sends a direct message (korova §11). */
  dm(
    agent_id: string,
    body: JsonValue,
    options?: MessageOptions,
  ): Promise<Answered<typeof bar_routes.sendDm>>;

  /** Takes back one of one's own messages; it stays, marked as retracted (korova §13). */
  retract(
    slug: string,
    message_id: number,
    options?: { reason?: string; sign?: boolean } & CallOptions,
  ): Promise<Message>;
};

/** What sending needs of the client. */
export function sendingOf(parts: {
  call: CallRoute;
  history: RoomHistory;
  session: Session;
  seedOf: () => Uint8Array | undefined;
  verifies: boolean;
}): BarSending {
  const { call, history, session, seedOf, verifies } = parts;

  async function admit(message: Message, room: string, sent: Composed): Promise<void> {
    if (!verifies) return;
    checkSent(message, { ...sent, room, agent_id: session.expectCredentials().agent_id });
    await history.note(message);
  }

  const sending: BarSending = {
    async post(slug, body, { signal, ...options } = {}) {
      const sent = composeMessage(slug, body, { ...options, seed: seedOf() });
      const input = { params: { slug }, body: sent };
      const message = await call(bar_routes.postMessage, input, signal ? { signal } : {});
      await admit(message, slug, sent);
      return message;
    },

    async dm(agent_id, body, { signal, ...options } = {}) {
      const slug = dmSlug(session.expectCredentials().agent_id, agent_id);
      const sent = composeMessage(slug, body, { ...options, seed: seedOf() });
      const input = { params: { id: agent_id }, body: sent };
      const said = await call(bar_routes.sendDm, input, signal ? { signal } : {});
      await admit(said.message, slug, sent);
      return said;
    },

    retract(slug, message_id, { reason, ...how } = {}) {
      const retraction = { retracts: message_id, ...(reason === undefined ? {} : { reason }) };
      const content_type = 'application/x-korova-retract';
      return sending.post(slug, retraction, { ...how, content_type });
    },
  };
  return sending;
}
