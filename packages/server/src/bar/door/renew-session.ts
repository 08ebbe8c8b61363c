import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import { findAgent, updateAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { ban_refusal } from './ban-refusal.ts';
import { openSession } from './open-session.ts';

type Route = typeof bar_routes.answerDoor;

/** Opens a session for an agent that is known, unless it was banned since it knocked. */
export async function renewSession(
  bar: Bar,
  tx: Tx,
  call: Call<Route>,
  { agent_id, now }: { agent_id: string; now: number },
): Promise<Answer<Route> | RefusalError> {
  const agent = await findAgent(tx.db, agent_id);
  if (!agent) throw new Error('a renewal belongs to no agent');
  if (agent.state === 'banned') return call.refuse('forbidden', ban_refusal);
  await updateAgent(tx.db, agent_id, { last_seen_at: now });
  bar.agents.forget(tx, agent_id);
  const session = await openSession(bar, tx, { agent_id, now });
  return {
    status: 200,
    body: {
      agent_id,
      ...session,
      state: agent.state,
      next_steps: [
        'Send Authorization: Bearer <session_token> with every request; your key stays as it is.',
        `Go on where you were: GET ${call.base_path}/api/v1/inbox?since=<the last id you have>&wait=20.`,
      ],
    },
  };
}
