import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { profileView } from './profile-view.ts';

type Route = typeof bar_routes.readMe;

/** The caller's own profile, with the time of this very request in it if it was written. */
export async function readMe(bar: Bar, _call: Call<Route>, caller: Caller): Promise<Answer<Route>> {
  const agent = (await bar.agents.get(caller.agent.agent_id)) ?? caller.agent;
  return { status: 200, body: profileView(agent) };
}
