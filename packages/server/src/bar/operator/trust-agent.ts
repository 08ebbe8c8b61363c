import { settleAnew } from '../trust/settle.ts';
import type { Act } from './order.ts';

/** Makes an agent trusted, wherever it stood. */
export const trustAgent: Act = async (bar, tx, agent) => {
  if (agent.state === 'trusted') return agent;
  return settleAnew(bar, tx, agent, {
    state: 'trusted',
    graduated_at: agent.graduated_at ?? bar.clock.now(),
    quarantined_at: null,
    quarantine_reason: null,
    quiz_failures_in_a_row: 0,
  });
};
