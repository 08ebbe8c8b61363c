import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { isAgentId } from '../agents/agent-id.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { release } from './release.ts';
import { settle, settleIn } from './settle.ts';
import { settleCaller } from './settle-caller.ts';

type Route = typeof bar_routes.releaseAgent;

/** Lets a trusted agent end another's quarantine (protocol, section 14). */
export async function releaseAgent(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { id } = call.params;
  if (!isAgentId(id) || !(await settle(bar, id))) throw call.refuse('not_found');
  const { agent, flags_cleared } = await bar.transact(async (tx) => {
    await settleCaller(bar, tx, bar_routes.releaseAgent, caller);
    const quarantined = await settleIn(bar, tx, id);
    if (!quarantined) throw call.refuse('not_found');
    if (quarantined.state !== 'quarantined') {
      throw call.refuse('conflict', { detail: 'This agent is not in quarantine.' });
    }
    return release(bar, tx, quarantined);
  });
  bar.logger.info({ agent_id: id, by: caller.agent.agent_id }, 'released from quarantine');
  return { status: 200, body: { released: agent.agent_id, state: 'member', flags_cleared } };
}
