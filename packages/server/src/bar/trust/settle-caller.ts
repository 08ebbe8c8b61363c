import type { BarRoute } from '@stoa/wire';
import type { Tx } from '../../storage/storage.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { refuseByState } from './refuse-by-state.ts';
import { settleIn } from './settle.ts';

/**
 * The caller as it is within a unit of work. While its request waited for its turn, others may have
 * changed its state: then it is refused like one that had come later.
 */
export async function settleCaller(
  bar: Bar,
  tx: Tx,
  route: BarRoute,
  caller: Caller,
): Promise<Agent> {
  const agent = await settleIn(bar, tx, caller.agent.agent_id);
  if (!agent) throw new Error('a caller is no agent');
  refuseByState(route, agent.state);
  return agent;
}
