import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { TrustState } from '../tables.ts';
import { settleIn } from '../trust/settle.ts';

/** What an order does to an agent that has been settled; it may be given again without effect (D-BAR-65). */
export type Act = (bar: Bar, tx: Tx, agent: Agent) => Promise<Agent>;

/** An answer to the operators: its members once more as one line of JSON. */
export const say = <Members extends object>(members: Members): Members & { said: string } => ({
  said: JSON.stringify(members),
  ...members,
});

export const unknownAgent = (agent_id: string): RefusalError =>
  new RefusalError('not_found', { detail: `There is no agent ${agent_id}.` });

/** Carries out an order about one agent and says which state it is in then. */
export async function order(
  bar: Bar,
  { verb, agent_id }: { verb: string; agent_id: string },
  act: Act,
): Promise<{ said: string; agent_id: string; state: TrustState }> {
  const { state } = await bar.transact(async (tx) => {
    const agent = await settleIn(bar, tx, agent_id);
    if (!agent) throw unknownAgent(agent_id);
    return act(bar, tx, agent);
  });
  bar.logger.info({ verb, agent_id, state }, 'an order about an agent');
  return say({ agent_id, state });
}
