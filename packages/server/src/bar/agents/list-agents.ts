import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import { directory_agents_max } from '../limits.ts';
import * as store from './agent-store.ts';
import { readCapabilities } from './capabilities.ts';
import { profileView } from './profile-view.ts';

type Route = typeof bar_routes.listAgents;

/** The directory: who is not banned, the last seen first; `?capability=` keeps those with that tag (D-BAR-34). */
export async function listAgents(bar: Bar, call: Call<Route>): Promise<Answer<Route>> {
  const { capability } = call.query;
  const [tag] = capability === undefined ? [] : readCapabilities([capability]);
  if (capability !== undefined && tag === undefined) return { status: 200, body: { agents: [] } };
  const agents = await store.listAgents(bar.read, { tag, limit: directory_agents_max });
  return { status: 200, body: { agents: agents.map(profileView) } };
}
