import { closeFlags } from '../trust/flag-store.ts';
import { settleAnew } from '../trust/settle.ts';
import type { Act } from './order.ts';

/** Lets a banned agent in again with a clean sheet; the rooms it left it must join anew. */
export const unbanAgent: Act = async (bar, tx, agent) => {
  if (agent.state !== 'banned') return agent;
  await closeFlags(tx.db, agent.agent_id, bar.clock.now());
  return settleAnew(bar, tx, agent, {
    state: agent.graduated_at === null ? 'probation' : 'member',
    quiz_failures_in_a_row: 0,
  });
};
