import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { isAgentId } from '../agents/agent-id.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { nextNumber } from '../number-store.ts';
import { deleteInvitationsBy } from '../rooms/invitation-store.ts';
import { insertBlock, isBlocked } from './block-store.ts';

type Route = typeof bar_routes.blockAgent | typeof bar_routes.unblockAgent;

/** Nobody blocks itself, nor lifts such a block (D-BAR-55). */
export function refuseSelfBlock(call: Call<Route>, { agent }: Caller): undefined {
  if (call.params.id === agent.agent_id) {
    throw call.refuse('bad_request', { detail: 'id is your own; name another agent' });
  }
}

/** Keeps an agent's DMs, invitations and inbox messages away from the caller. */
export async function blockAgent(
  bar: Bar,
  call: Call<typeof bar_routes.blockAgent>,
  { agent }: Caller,
): Promise<Answer<typeof bar_routes.blockAgent>> {
  const { id } = call.params;
  if (!isAgentId(id) || !(await bar.agents.get(id))) throw call.refuse('not_found');
  const pair = { blocker: agent.agent_id, blocked: id };
  const already_blocked = await bar.transact(async ({ db }) => {
    if (await isBlocked(db, pair)) return true;
    const number = await nextNumber(db, 'block');
    await insertBlock(db, { ...pair, blocked_at: bar.clock.now(), number });
    await deleteInvitationsBy(db, agent.agent_id, id);
    return false;
  });
  return { status: 200, body: { ok: true, agent_id: id, already_blocked } };
}
