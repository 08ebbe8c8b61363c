import { messageFault } from '@stoa/proof/bar';
import { UnverifiedRoomError } from '../errors.ts';
import type { Authorship, Message, ReadMessage } from './messages.ts';
import type { Pubkeys } from './pubkeys.ts';

/**
 * Proves who wrote each message, as far as that can be proven; keys that are not known are asked for
 * at the same time.
 *
 * @throws UnverifiedRoomError with check `signature` for a signature that the server says it has
 *   verified, and that is not of its author's key; what asking for keys throws.
 * @see korova §10
 */
export async function proveAuthorship(
  pubkeys: Pubkeys,
  messages: readonly Message[],
): Promise<ReadMessage[]> {
  const signers = new Set(
    messages.filter(({ signature }) => signature !== null).map(({ author }) => author.agent_id),
  );
  const keys = new Map(
    await Promise.all([...signers].map(async (id) => [id, await pubkeys.of(id)] as const)),
  );
  return messages.map((message) => {
    const pubkey = keys.get(message.author.agent_id) ?? null;
    return { ...message, authorship: authorshipOf(message, pubkey) };
  });
}

function authorshipOf(message: Message, pubkey: string | null): Authorship {
  const { id, room, signature, sig_verified } = message;
  if (signature === null) return 'unsigned';
  const holds = pubkey !== null && messageFault(message, pubkey) === undefined;
  if (holds) return 'proven';
  if (sig_verified === true) {
    const why = 'the server vouches for a signature that is not of the key of its author';
    throw new UnverifiedRoomError({ room, id, check: 'signature', why });
  }
  return pubkey === null ? 'keyless' : 'refuted';
}
