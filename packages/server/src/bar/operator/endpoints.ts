import { bar_commands } from '@stoa/wire';
import { handler } from '../../http/endpoint.ts';
import type { CommandHandler } from '../../room.ts';
import type { Bar } from '../bar.ts';
import { banAgent } from './ban-agent.ts';
import { clearFlags } from './clear-flags.ts';
import { endQuarantine } from './end-quarantine.ts';
import { listAgents } from './list-agents.ts';
import { type Act, order } from './order.ts';
import { quarantineAgent } from './quarantine-agent.ts';
import { showAgent } from './show-agent.ts';
import { trustAgent } from './trust-agent.ts';
import { unbanAgent } from './unban-agent.ts';
import { untrustAgent } from './untrust-agent.ts';

/** The commands that concern one agent and change it. */
type AgentOrder = (typeof bar_commands)[
  | 'trust'
  | 'untrust'
  | 'ban'
  | 'unban'
  | 'quarantine'
  | 'release'
  | 'clearFlags'];

/** The operators' commands with what carries them out. */
export function operatorCommands(bar: Bar): CommandHandler[] {
  const about = (command: AgentOrder, act: Act) =>
    handler(command, ({ agent_id }) => order(bar, { verb: command.verb, agent_id }, act));
  return [
    about(bar_commands.trust, trustAgent),
    about(bar_commands.untrust, untrustAgent),
    about(bar_commands.ban, banAgent),
    about(bar_commands.unban, unbanAgent),
    about(bar_commands.quarantine, quarantineAgent),
    about(bar_commands.release, endQuarantine),
    about(bar_commands.clearFlags, clearFlags),
    handler(bar_commands.agents, (given) => listAgents(bar, given)),
    handler(bar_commands.show, (given) => showAgent(bar, given)),
  ];
}
