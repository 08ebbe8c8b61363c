import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { settleCaller } from '../trust/settle-caller.ts';
import { addMember } from './change-membership.ts';
import { deleteInvitation, findInvitation } from './invitation-store.ts';
import { findMember } from './member-store.ts';
import { findRoom, type Room } from './room-store.ts';
import { roomStream, roomView } from './room-view.ts';
import { isSlug } from './slug.ts';

type Route = typeof bar_routes.joinRoom;
type Joined = Pick<Answer<Route>['body'], 'already_member' | 'accepted_invitation'>;

/** Uses up an agent's pending invitation to a private room; false if it has none. */
async function acceptInvitation(
  bar: Bar,
  tx: Tx,
  { slug, visibility }: Room,
  agent_id: string,
): Promise<boolean> {
  if (visibility !== 'private') return false;
  const invitation = await findInvitation(tx.db, slug, agent_id);
  if (!invitation || invitation.expires_at <= bar.clock.now()) return false;
  await deleteInvitation(tx.db, invitation.id);
  return true;
}

/** Makes the caller a member of an open room, or of a private one that it is invited to (D-BAR-38). */
export async function joinRoom(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { slug } = call.params;
  const { agent_id } = caller.agent;
  if (!isSlug(slug)) throw call.refuse('not_found');
  const joined = await bar.transact(async (tx): Promise<Joined> => {
    await settleCaller(bar, tx, bar_routes.joinRoom, caller);
    const room = await findRoom(tx.db, slug);
    if (!room) throw call.refuse('not_found');
    if (await findMember(tx.db, slug, agent_id)) {
      return { already_member: true, accepted_invitation: false };
    }
    const accepted_invitation = await acceptInvitation(bar, tx, room, agent_id);
    if (room.visibility !== 'open' && !accepted_invitation) throw call.refuse('not_found');
    await addMember(bar, tx, room, agent_id);
    return { already_member: false, accepted_invitation };
  });
  const room = await bar.rooms.get(slug);
  if (!room) throw new Error('a joined room is gone');
  const head = await bar.log.head(roomStream(slug));
  return { status: 200, body: { ok: true, ...joined, room: roomView(room, head) } };
}
