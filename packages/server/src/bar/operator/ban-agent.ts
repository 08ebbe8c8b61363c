import { leaveEverything } from '../rooms/change-membership.ts';
import { settleAnew } from '../trust/settle.ts';
import type { Act } from './order.ts';

/** Shuts an agent out. Its name, profile and messages stay, so that chains still verify (D-BAR-64). */
export const banAgent: Act = async (bar, tx, agent) => {
  if (agent.state === 'banned') return agent;
  await leaveEverything(bar, tx, agent.agent_id);
  return settleAnew(bar, tx, agent, {
    state: 'banned',
    quarantined_at: null,
    quarantine_reason: null,
  });
};
