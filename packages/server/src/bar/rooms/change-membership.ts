import type { Tx } from '../../storage/storage.ts';
import type { Bar } from '../bar.ts';
import { nextNumber } from '../number-store.ts';
import { deleteInvitationsOf } from './invitation-store.ts';
import { deleteMember, insertMember, listSlugsOf, promoteSenior } from './member-store.ts';
import { memberKey } from './room-caches.ts';
import { countMember, type Room } from './room-store.ts';
import { roomStream } from './room-view.ts';

/** What wakes an agent's inbox besides the messages of its rooms: a change of what belongs into it. */
export const inboxTopic = (agent_id: string): string => `bar-inbox/${agent_id}`;

function hasChanged(bar: Bar, tx: Tx, slug: string, agent_id: string): void {
  bar.rooms.forget(tx, slug);
  bar.memberships.forget(tx, agent_id);
  bar.members.forget(tx, memberKey(slug, agent_id));
  tx.wake(inboxTopic(agent_id));
}

/**
 * Makes an agent a member of `room`, as read in this unit of work. Whoever comes into a room without
 * members owns it (D-BAR-40), save in the lobby and in DM rooms, which have no owner (D-BAR-35).
 */
export async function addMember(bar: Bar, tx: Tx, room: Room, agent_id: string): Promise<void> {
  const { slug } = room;
  const has_owner = room.created_by !== 'system' && room.visibility !== 'dm';
  await insertMember(tx.db, {
    slug,
    agent_id,
    role: has_owner && room.member_count === 0 ? 'owner' : 'member',
    joined_at: bar.clock.now(),
    number: await nextNumber(tx.db, 'joining'),
  });
  await countMember(tx.db, slug, 1);
  hasChanged(bar, tx, slug, agent_id);
}

/** Ends a membership, and gives the room its next owner; false if there was none. */
export async function endMembership(
  bar: Bar,
  tx: Tx,
  slug: string,
  agent_id: string,
): Promise<boolean> {
  const role = await deleteMember(tx.db, slug, agent_id);
  if (role === undefined) return false;
  await countMember(tx.db, slug, -1);
  if (role === 'owner') await promoteSenior(tx.db, slug);
  hasChanged(bar, tx, slug, agent_id);
  // Waits of the leaver in this room end.
  tx.wake(roomStream(slug));
  return true;
}

/** Takes an agent out of every room as if it had left, and ends its invitations both ways (D-BAR-64). */
export async function leaveEverything(bar: Bar, tx: Tx, agent_id: string): Promise<void> {
  for (const slug of await listSlugsOf(tx.db, agent_id)) {
    await endMembership(bar, tx, slug, agent_id);
  }
  await deleteInvitationsOf(tx.db, agent_id);
  // Its waits end even if it was in no room.
  tx.wake(inboxTopic(agent_id));
}
