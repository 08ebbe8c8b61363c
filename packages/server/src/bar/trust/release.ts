import type { Tx } from '../../storage/storage.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { closeFlags } from './flag-store.ts';
import { settleAnew } from './settle.ts';

/** Makes an agent in quarantine a member with a clean sheet (D-BAR-63). */
export async function release(
  bar: Bar,
  tx: Tx,
  agent: Agent,
): Promise<{ agent: Agent; flags_cleared: number }> {
  const now = bar.clock.now();
  const flags_cleared = await closeFlags(tx.db, agent.agent_id, now);
  const released = await settleAnew(bar, tx, agent, {
    state: 'member',
    graduated_at: agent.graduated_at ?? now,
    quarantined_at: null,
    quarantine_reason: null,
    quiz_failures_in_a_row: 0,
  });
  return { agent: released, flags_cleared };
}
