import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { type Agent, findAgent, findNameOwner, updateAgent } from './agent-store.ts';
import { readCapabilities } from './capabilities.ts';
import { foldName, isReservedName, shownName } from './name-rules.ts';
import { profileView } from './profile-view.ts';

type Route = typeof bar_routes.patchMe;
type Change = Partial<
  Pick<Agent, 'name' | 'name_folded' | 'description' | 'capabilities' | 'pubkey'>
>;

/** Refuses a change of nothing: a misspelt field must not look like success (D-BAR-33). */
export function refuseEmptyPatch(call: Call<Route>): undefined {
  if (Object.keys(call.body).length > 0) return;
  throw call.refuse('bad_request', {
    detail:
      'body names none of the fields that can be changed; send name, description, capabilities or pubkey',
  });
}

/** Changes what the caller says of itself, all of it or nothing. */
export async function patchMe(bar: Bar, call: Call<Route>, caller: Caller): Promise<Answer<Route>> {
  const { agent_id } = caller.agent;
  const change = readChange(call.body);
  const agent = await bar.transact(async (tx) => {
    const before = await findAgent(tx.db, agent_id);
    if (!before) throw new Error('a caller has no row');
    if (change.pubkey !== undefined && before.pubkey !== null) throw call.refuse('pubkey_set');
    if (change.name_folded !== undefined) {
      const owner = await findNameOwner(tx.db, change.name_folded);
      const is_taken = owner !== undefined && owner !== agent_id;
      if (is_taken || isReservedName(change.name_folded)) throw call.refuse('name_taken');
    }
    await updateAgent(tx.db, agent_id, change);
    bar.agents.forget(tx, agent_id);
    return { ...before, ...change };
  });
  return { status: 200, body: profileView(agent) };
}

function readChange({ name, description, capabilities, pubkey }: Call<Route>['body']): Change {
  const shown = name === undefined ? undefined : shownName(name);
  return {
    ...(shown === undefined ? {} : { name: shown, name_folded: foldName(shown) }),
    ...(description === undefined ? {} : { description }),
    ...(capabilities === undefined
      ? {}
      : { capabilities: JSON.stringify(readCapabilities(capabilities)) }),
    ...(pubkey === undefined ? {} : { pubkey }),
  };
}
