import { decodeBase64 } from '@stoa/proof';
import { signedText } from '@stoa/proof/bar';
import type { bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { Draft } from './check-message.ts';

type Route = typeof bar_routes.postMessage | typeof bar_routes.sendDm;

/** Whether a draft's signature can be checked: it has one, and its author a key. */
export const isCheckable = (draft: Draft, author: Agent): boolean =>
  draft.signature !== null && author.pubkey !== null;

/**
 * Checks the signature of a draft for the room `slug`, off the event loop, and refuses one that is not
 * its author's. Answers true, or null if there is nothing to check it by.
 */
export async function verifyDraft(
  { signatures }: Bar,
  refuse: Call<Route>['refuse'],
  { slug: room, draft, author }: { slug: string; draft: Draft; author: Agent },
): Promise<true | null> {
  if (draft.signature === null || author.pubkey === null) return null;
  const signature = decodeBase64(draft.signature, 64);
  const public_key = decodeBase64(author.pubkey, 32);
  if (!signature || !public_key) throw new Error('a key or signature was let in that is none');
  const message = signedText({ room, ...draft });
  if (await signatures.verify({ public_key, message, signature })) return true;
  throw refuse('bad_request', {
    detail: 'signature is not by your registered pubkey over this message in this room',
    hint: 'Sign korova-msg-v1, slug, content_type, reply_to or nothing, and the hex SHA-256 of the body as it is stored, joined by line feeds; section 10 of {base}/llms-full.txt.',
  });
}
