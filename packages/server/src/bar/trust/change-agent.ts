import type { Tx } from '../../storage/storage.ts';
import { type Agent, updateAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { deleteQuiz } from '../quiz/quiz-store.ts';
import { countsFrom, isInPlay } from './standing.ts';
import { markReceivers } from './trust-store.ts';

/** What trust knows of an agent and may change. */
export type TrustChange = Partial<
  Pick<
    Agent,
    | 'state'
    | 'graduated_at'
    | 'quarantined_at'
    | 'quarantine_reason'
    | 'quiz_failures_in_a_row'
    | 'quiz_passed'
    | 'quiz_failed'
    | 'settle_at'
  >
>;

/**
 * Changes what is known of an agent's trust, with all that follows from its new state: another write
 * limit, no quiz where there are none, and others for whom its vouches and flags now count or do not.
 */
export async function changeAgent(
  bar: Bar,
  tx: Tx,
  agent: Agent,
  change: TrustChange,
): Promise<Agent> {
  const has_moved = change.state !== undefined && change.state !== agent.state;
  const state_changes = agent.state_changes + (has_moved ? 1 : 0);
  const changed: Agent = { ...agent, ...change, state_changes };
  await updateAgent(tx.db, agent.agent_id, { ...change, state_changes });
  bar.agents.forget(tx, agent.agent_id);
  if (has_moved && !isInPlay(changed.state)) await deleteQuiz(tx.db, agent.agent_id);
  if (countsFrom(changed) !== countsFrom(agent)) {
    for (const receiver of await markReceivers(tx.db, agent.agent_id)) {
      bar.agents.forget(tx, receiver);
    }
  }
  return changed;
}
