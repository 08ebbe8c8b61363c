import type { BarRoute } from '@stoa/wire';
import type { Taken } from '../limits/limits.ts';
import { RefusalError } from '../refusal.ts';
import type { Agent } from './agents/agent-store.ts';
import type { Bar } from './bar.ts';
import { writeClass } from './trust/write-class.ts';

/** Writes that are "always allowed": they take nothing of the write limit. */
const free_writes: ReadonlySet<string> = new Set(['leaveRoom', 'declineInvitation', 'logOut']);

/** Takes the unit that a request costs, if there is one. */
export function takeUnit(bar: Bar, route: BarRoute, agent: Agent): Promise<Taken> {
  const { agent_id, state, state_changes } = agent;
  return route.method === 'GET'
    ? bar.reads.take(agent_id)
    : bar.writes[writeClass(state)].take(`${agent_id} ${state_changes}`);
}

/** Takes the unit that a request costs, or refuses it. */
export async function charge(bar: Bar, route: BarRoute, agent: Agent): Promise<void> {
  if (free_writes.has(route.name)) return;
  const taken = await takeUnit(bar, route, agent);
  if (!taken.ok) throw new RefusalError('rate_limited', { retry_after_ms: taken.retry_after_ms });
}
