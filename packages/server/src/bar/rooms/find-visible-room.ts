import type { Bar } from '../bar.ts';
import { findMember } from './member-store.ts';
import type { Room } from './room-store.ts';
import { isSlug } from './slug.ts';

/**
 * The room of a slug, if `agent_id` may know of it: an open one, or one that it is a member of. For all
 * others there is no such room.
 */
export async function findVisibleRoom(
  bar: Bar,
  agent_id: string,
  slug: string,
): Promise<Room | undefined> {
  const room = isSlug(slug) ? await bar.rooms.get(slug) : undefined;
  if (!room || room.visibility === 'open') return room;
  const slugs = await bar.memberships.get(agent_id);
  if (slugs?.has(slug)) return room;
  // It may have joined a moment ago, through another process whose notice is still under way.
  return (await findMember(bar.read, slug, agent_id)) ? room : undefined;
}
