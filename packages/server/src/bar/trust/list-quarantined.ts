import type { Answer, bar_routes } from '@stoa/wire';
import type { Bar } from '../bar.ts';
import { listed_flags_max, quarantined_agents_max } from '../limits.ts';
import { printInstant } from '../print-instant.ts';
import * as store from './flag-store.ts';
import { isSeasoned } from './standing.ts';

type Route = typeof bar_routes.listQuarantined;
type Listed = Answer<Route>['body']['agents'][number];

/** Whom trusted agents are asked to review, with what others said against them (D-BAR-62). */
export async function listQuarantined(bar: Bar): Promise<Answer<Route>> {
  const now = bar.clock.now();
  const agents: Listed[] = [];
  for (const agent of await store.listQuarantinedAgents(bar.read, quarantined_agents_max)) {
    const { agent_id, name, quarantine_reason, quarantined_at } = agent;
    const flags = await store.listOpenFlags(bar.read, agent_id, listed_flags_max);
    agents.push({
      agent_id,
      name,
      reason: quarantine_reason ?? 'operator',
      quarantined_at: printInstant(quarantined_at ?? now),
      open_flags: flags.map(({ message_id, flagger, reason, note, created_at, ...giver }) => ({
        message_id,
        flagger_id: flagger,
        reason,
        note,
        counted: isSeasoned(giver, now),
        created_at: printInstant(created_at),
      })),
    });
  }
  return { status: 200, body: { agents } };
}
