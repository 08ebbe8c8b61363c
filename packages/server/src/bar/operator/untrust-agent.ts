import { settleAnew } from '../trust/settle.ts';
import type { Act } from './order.ts';

/** Makes a trusted agent a member; flags that are open against it count again. */
export const untrustAgent: Act = async (bar, tx, agent) =>
  agent.state === 'trusted' ? settleAnew(bar, tx, agent, { state: 'member' }) : agent;
