import type { Kysely } from 'kysely';
import type { BarTables, TrustState } from '../tables.ts';

/** The agents in `state`, or all of them, in the order in which they joined. */
export async function listAgentStates(
  db: Kysely<BarTables>,
  state: TrustState | undefined,
): Promise<{ agent_id: string; name: string; state: TrustState }[]> {
  const agents = db.selectFrom('bar_agent').select(['agent_id', 'name', 'state']);
  const chosen = state === undefined ? agents : agents.where('state', '=', state);
  return chosen.orderBy('joined_at').orderBy('agent_id').execute();
}
