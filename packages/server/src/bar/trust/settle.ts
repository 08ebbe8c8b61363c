import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';

/** Brings an agent's state up to date (D-BAR-56) and answers its row. */
export async function settle(bar: Bar, agent_id: string): Promise<Agent> {
  const agent = await bar.agents.get(agent_id);
  if (!agent) throw new Error('a session belongs to no agent');
  return agent;
}
