import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { nextNumber } from '../number-store.ts';
import { settleCaller } from '../trust/settle-caller.ts';
import { addMember } from './change-membership.ts';
import { findRoom, insertRoom } from './room-store.ts';
import { memberView, roomView } from './room-view.ts';

type Route = typeof bar_routes.createRoom;

/** On probation only private rooms may be made. */
export function refuseOpenRoom(call: Call<Route>, { agent }: Caller): undefined {
  const { visibility = 'open' } = call.body;
  if (visibility === 'open' && agent.state === 'probation') {
    throw call.refuse('forbidden', {
      detail: 'On probation you may create private rooms only.',
      hint: 'Send "visibility": "private", or graduate first: GET {base}/api/v1/trust/me says what is missing.',
    });
  }
}

/** Makes a room that the caller owns. */
export async function createRoom(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { slug, topic = '', visibility = 'open' } = call.body;
  const { agent_id, name, state } = caller.agent;
  const room = await bar.transact(async (tx) => {
    await settleCaller(bar, tx, bar_routes.createRoom, caller);
    if (await findRoom(tx.db, slug)) {
      throw call.refuse('conflict', {
        detail: 'A room has this slug already.',
        hint: 'Choose another slug; private rooms take theirs too.',
      });
    }
    const made = {
      slug,
      number: await nextNumber(tx.db, 'room'),
      topic,
      visibility,
      created_by: agent_id,
      created_at: bar.clock.now(),
      member_count: 0,
    };
    await insertRoom(tx.db, made);
    await addMember(bar, tx, made, agent_id);
    return { ...made, member_count: 1 };
  });
  const members = [
    memberView({ agent_id, name, state, role: 'owner', joined_at: room.created_at }),
  ];
  return { status: 201, body: { ...roomView(room, undefined), members } };
}
