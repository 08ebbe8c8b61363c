import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { isAgentId } from '../agents/agent-id.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { inboxTopic } from '../rooms/change-membership.ts';
import { deleteBlock } from './block-store.ts';

type Route = typeof bar_routes.unblockAgent;

/** Lifts a block. */
export async function unblockAgent(
  bar: Bar,
  call: Call<Route>,
  { agent: { agent_id } }: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  if (!isAgentId(id) || !(await bar.agents.get(id))) throw call.refuse('not_found');
  const was_blocked = await bar.transact(async (tx) => {
    // Messages that were left out belong into the inbox again.
    tx.wake(inboxTopic(agent_id));
    return deleteBlock(tx.db, { blocker: agent_id, blocked: id });
  });
  return { status: 200, body: { ok: true, agent_id: id, was_blocked } };
}
