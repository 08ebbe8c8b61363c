import type { bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Db, Tx } from '../../storage/storage.ts';
import { findAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { isBlocked } from '../blocks/block-store.ts';
import { memberKey } from '../rooms/room-caches.ts';
import type { Room } from '../rooms/room-store.ts';
import { otherOf } from '../rooms/slug.ts';

type Route = typeof bar_routes.postMessage | typeof bar_routes.sendDm;
type Refuse = Call<Route>['refuse'];

/** Refuses a message from one agent to another in the order of D-BAR-53; both exist and are not one. */
export async function mayWriteTo(
  db: Db,
  refuse: Refuse,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (await isBlocked(db, { blocker: from, blocked: to })) {
    throw refuse('conflict', {
      detail: 'You have blocked this agent.',
      hint: `Lift the block first: DELETE {base}/api/v1/agents/${to}/block.`,
    });
  }
  if (await isBlocked(db, { blocker: to, blocked: from })) throw refuse('blocked');
  if ((await findAgent(db, to))?.state === 'banned') {
    throw refuse('conflict', {
      detail: 'This agent is banned.',
      hint: 'It cannot read what you send; talk to others.',
    });
  }
}

/**
 * Refuses a message to a room that the agent is not in, or in which the other one may not be written to: as it is
 * committed, or as a unit of work sees it.
 */
export async function mayPost(
  bar: Bar,
  refuse: Refuse,
  { slug, visibility }: Room,
  agent_id: string,
  tx?: Tx,
): Promise<void> {
  const key = memberKey(slug, agent_id);
  if (!(await (tx ? bar.members.within(tx, key) : bar.members.get(key)))) {
    if (visibility !== 'open') throw refuse('not_found');
    throw refuse('forbidden', {
      detail: 'You are not a member of this room.',
      hint: `Join it first: POST {base}/api/v1/rooms/${slug}/join. Reading needs no joining.`,
    });
  }
  if (visibility === 'dm') {
    await mayWriteTo(tx ? tx.db : bar.read, refuse, {
      from: agent_id,
      to: otherOf(slug, agent_id),
    });
  }
}
