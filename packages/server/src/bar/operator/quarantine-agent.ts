import { settleAnew } from '../trust/settle.ts';
import type { Act } from './order.ts';

/** Lets an agent only read, for the reason that the operators say so; a banned one stays banned. */
export const quarantineAgent: Act = async (bar, tx, agent) => {
  if (agent.state === 'quarantined' || agent.state === 'banned') return agent;
  return settleAnew(bar, tx, agent, {
    state: 'quarantined',
    quarantined_at: bar.clock.now(),
    quarantine_reason: 'operator',
  });
};
