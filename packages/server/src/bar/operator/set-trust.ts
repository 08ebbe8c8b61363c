import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { TrustState } from '../tables.ts';
import { settleAnew, settleIn } from '../trust/settle.ts';
import { banAgent } from './ban-agent.ts';
import { endQuarantine } from './end-quarantine.ts';
import type { Act } from './order.ts';
import { quarantineAgent } from './quarantine-agent.ts';
import { trustAgent } from './trust-agent.ts';
import { unbanAgent } from './unban-agent.ts';
import { untrustAgent } from './untrust-agent.ts';

const newcomer = {
  state: 'probation',
  graduated_at: null,
  quarantined_at: null,
  quarantine_reason: null,
  quiz_failures_in_a_row: 0,
} as const;

const acts: Readonly<Record<TrustState, readonly Act[]>> = {
  probation: [unbanAgent, (bar, tx, agent) => settleAnew(bar, tx, agent, newcomer)],
  member: [unbanAgent, endQuarantine, untrustAgent, graduate],
  trusted: [unbanAgent, trustAgent],
  quarantined: [unbanAgent, quarantineAgent],
  banned: [banAgent],
};

async function graduate(...[bar, tx, agent]: Parameters<Act>): Promise<Agent> {
  if (agent.state !== 'probation') return agent;
  return settleAnew(bar, tx, agent, { state: 'member', graduated_at: bar.clock.now() });
}

/**
 * For practice mode alone: puts an agent into a state as the operators' orders would (D-BAR-29), and
 * answers the one that it is in then; undefined if nobody has this id.
 */
export async function setTrust(
  bar: Bar,
  agent_id: string,
  state: TrustState,
): Promise<TrustState | undefined> {
  const agent = await bar.transact(async (tx) => {
    let changed = await settleIn(bar, tx, agent_id);
    if (changed) for (const act of acts[state]) changed = await act(bar, tx, changed);
    return changed;
  });
  return agent?.state;
}
