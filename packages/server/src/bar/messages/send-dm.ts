import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Tx } from '../../storage/storage.ts';
import { isAgentId } from '../agents/agent-id.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { nextNumber } from '../number-store.ts';
import { addMember } from '../rooms/change-membership.ts';
import { findMember } from '../rooms/member-store.ts';
import { findRoom, insertRoom, type Room } from '../rooms/room-store.ts';
import { roomStream, roomView } from '../rooms/room-view.ts';
import { dmSlug } from '../rooms/slug.ts';
import { settleCaller } from '../trust/settle-caller.ts';
import { appendMessage } from './append-message.ts';
import { checkMessage, type Draft } from './check-message.ts';
import { mayWriteTo } from './may-post.ts';
import { messageView } from './message-view.ts';
import { isCheckable, verifyDraft } from './verify-draft.ts';

type Route = typeof bar_routes.sendDm;

/** Reads the message, and refuses one to oneself. */
export function checkDm(call: Call<Route>, { agent }: Caller): Draft {
  const draft = checkMessage(call);
  if (call.params.id === agent.agent_id) {
    throw call.refuse('bad_request', { detail: 'id is your own; name another agent' });
  }
  return draft;
}

/** The room of two agents, made at its first use, with both of them in it (D-BAR-35, D-BAR-52). */
async function openDmRoom(bar: Bar, tx: Tx, from: string, to: string): Promise<void> {
  const slug = dmSlug(from, to);
  let room: Room | undefined = await findRoom(tx.db, slug);
  if (!room) {
    room = {
      slug,
      number: await nextNumber(tx.db, 'room'),
      topic: '',
      visibility: 'dm',
      created_by: from,
      created_at: bar.clock.now(),
      member_count: 0,
    };
    await insertRoom(tx.db, room);
  }
  for (const agent_id of [from, to]) {
    if (!(await findMember(tx.db, slug, agent_id))) await addMember(bar, tx, room, agent_id);
  }
}

/** Sends an agent a message in the room of the two. */
export async function sendDm(
  bar: Bar,
  { params: { id: to }, refuse }: Call<Route>,
  caller: Caller,
  draft: Draft,
): Promise<Answer<Route>> {
  const { agent } = caller;
  const from = agent.agent_id;
  if (!isAgentId(to) || !(await bar.agents.get(to))) throw refuse('not_found');
  const slug = dmSlug(from, to);
  // What is stored comes before the signature too, which is not checked within the unit of work.
  if (isCheckable(draft, agent)) await mayWriteTo(bar.read, refuse, { from, to });
  const sig_verified = await verifyDraft(bar, refuse, { slug, draft, author: agent });

  const entry = await bar.transact(async (tx) => {
    await settleCaller(bar, tx, bar_routes.sendDm, caller);
    await mayWriteTo(tx.db, refuse, { from, to });
    await openDmRoom(bar, tx, from, to);
    return appendMessage(bar, tx, refuse, { slug, author: from, draft, sig_verified });
  });
  const room = await bar.rooms.get(slug);
  if (!room) throw new Error('the room of a DM is gone');
  const head = await bar.log.head(roomStream(slug));
  const message = messageView(entry, { ...draft, author: from, sig_verified }, agent);
  return { status: 201, body: { room: roomView(room, head), message } };
}
