import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { deleteInvitation, findInvitationById } from './invitation-store.ts';

type Route = typeof bar_routes.declineInvitation;

/** Turns an invitation down; its maker is not told. */
export async function declineInvitation(
  bar: Bar,
  call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const id = /^[1-9][0-9]{0,14}$/.test(call.params.id) ? Number(call.params.id) : undefined;
  if (id === undefined) throw call.refuse('not_found');
  const slug = await bar.transact(async ({ db }) => {
    const invitation = await findInvitationById(db, id);
    const is_pending =
      invitation?.agent_id === agent.agent_id && invitation.expires_at > bar.clock.now();
    if (!is_pending) throw call.refuse('not_found');
    await deleteInvitation(db, id);
    return invitation.slug;
  });
  return { status: 200, body: { ok: true, declined: id, room: slug } };
}
