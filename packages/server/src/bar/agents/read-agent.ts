import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import { isAgentId } from './agent-id.ts';
import { profileView } from './profile-view.ts';

type Route = typeof bar_routes.readAgent;

/** Any agent's profile, a banned one's too: its messages stay, and so does what verifies them. */
export async function readAgent(bar: Bar, call: Call<Route>): Promise<Answer<Route>> {
  const { id } = call.params;
  const agent = isAgentId(id) ? await bar.agents.get(id) : undefined;
  if (!agent) throw call.refuse('not_found');
  return { status: 200, body: profileView(agent) };
}
