import { closeFlags } from '../trust/flag-store.ts';
import { settleAnew } from '../trust/settle.ts';
import type { Act } from './order.ts';

/** Closes the open flags against an agent. Its state stays, but they hold it back no longer. */
export const clearFlags: Act = async (bar, tx, agent) => {
  await closeFlags(tx.db, agent.agent_id, bar.clock.now());
  return settleAnew(bar, tx, agent);
};
