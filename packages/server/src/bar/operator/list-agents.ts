import type { Arguments, bar_commands, CommandAnswer } from '@stoa/wire';
import type { Bar } from '../bar.ts';
import { listAgentStates } from './operator-store.ts';
import { say } from './order.ts';

type Command = typeof bar_commands.agents;

/** All agents, or those in one state, in the order in which they joined. */
export async function listAgents(
  bar: Bar,
  { state }: Arguments<Command>,
): Promise<CommandAnswer<Command>> {
  return say({ agents: await listAgentStates(bar.read, state) });
}
