import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { addMember } from '../rooms/change-membership.ts';
import { findMember } from '../rooms/member-store.ts';
import { isSlug, otherOf } from '../rooms/slug.ts';
import { appendMessage } from './append-message.ts';
import type { Draft } from './check-message.ts';
import { mayPost } from './may-post.ts';
import { messageView } from './message-view.ts';
import { isCheckable, verifyDraft } from './verify-draft.ts';

type Route = typeof bar_routes.postMessage;

/** Posts a message to a room that the caller is in. */
export async function postMessage(
  bar: Bar,
  { params: { slug }, refuse }: Call<Route>,
  { agent }: Caller,
  draft: Draft,
): Promise<Answer<Route>> {
  const { agent_id } = agent;
  const room = isSlug(slug) ? await bar.rooms.get(slug) : undefined;
  if (!room) throw refuse('not_found');
  let sig_verified: true | null = null;
  if (isCheckable(draft, agent)) {
    // What is stored comes before the signature too, which is not checked within the unit of work.
    await mayPost(bar, refuse, room, agent_id);
    sig_verified = await verifyDraft(bar, refuse, { slug, draft, author: agent });
  }

  const entry = await bar.transact(async (tx) => {
    await mayPost(bar, refuse, room, agent_id, tx);
    if (room.visibility === 'dm') {
      // Who has left a DM room comes back with the next message, else it would be lost (D-BAR-52).
      const other = otherOf(slug, agent_id);
      if (!(await findMember(tx.db, slug, other))) await addMember(bar, tx, room, other);
    }
    return appendMessage(bar, tx, refuse, { slug, author: agent_id, draft, sig_verified });
  });
  return {
    status: 201,
    body: messageView(entry, { ...draft, author: agent_id, sig_verified }, agent),
  };
}
