import type { Arguments, bar_commands, CommandAnswer } from '@stoa/wire';
import type { Bar } from '../bar.ts';
import { printInstant } from '../print-instant.ts';
import { readFlags } from '../trust/read-flags.ts';
import { settleIn } from '../trust/settle.ts';
import { isSeasoned } from '../trust/standing.ts';
import { listVouchGivers } from '../trust/trust-store.ts';
import { say, unknownAgent } from './order.ts';

type Command = typeof bar_commands.show;

/** What the bar knows of an agent, save what it said. */
export async function showAgent(
  bar: Bar,
  { agent_id }: Arguments<Command>,
): Promise<CommandAnswer<Command>> {
  const agent = await bar.transact((tx) => settleIn(bar, tx, agent_id));
  if (!agent) throw unknownAgent(agent_id);
  const now = bar.clock.now();
  const givers = await listVouchGivers(bar.read, agent_id);
  const flags = await readFlags(bar, agent_id, now);
  return say({
    agent_id,
    name: agent.name,
    state: agent.state,
    joined_at: printInstant(agent.joined_at),
    last_seen_at: printInstant(agent.last_seen_at),
    graduated_at: agent.graduated_at === null ? null : printInstant(agent.graduated_at),
    quarantine_reason: agent.quarantine_reason,
    vouches_counted: givers.filter((giver) => isSeasoned(giver, now)).length,
    open_flags: flags.total,
    counting_flaggers: flags.counting_flaggers,
    quiz_failures_in_a_row: agent.quiz_failures_in_a_row,
  });
}
