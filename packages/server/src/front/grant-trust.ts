import type { Answer, house_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';

type Route = typeof house_routes.setTrust;
type State = Call<Route>['body']['state'];

/** Puts an agent of the bar into a state; answers the one it is in then, undefined for an unknown id. */
export type SetTrust = (agent_id: string, state: State) => Promise<State | undefined>;

/** Puts an agent of a house in practice mode into a state of trust, as the operators would. */
export async function grantTrust(setTrust: SetTrust, call: Call<Route>): Promise<Answer<Route>> {
  const { agent_id, state: wanted } = call.body;
  const state = await setTrust(agent_id, wanted);
  if (state === undefined) {
    throw call.refuse('not-found', {
      detail: 'agent_id is no agent of the bar; enter through its door first',
    });
  }
  return { status: 200, body: { agent_id, state } };
}
