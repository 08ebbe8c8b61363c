import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { printInstant } from '../print-instant.ts';
import { listPending } from './invitation-store.ts';
import { roomStream, roomView } from './room-view.ts';

type Route = typeof bar_routes.listInvitations;

/** The invitations that await the caller's answer, the newest first (D-BAR-42). */
export async function listInvitations(
  bar: Bar,
  call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const pending = await listPending(bar.read, agent.agent_id, bar.clock.now());
  const heads = await bar.log.heads(pending.map(({ slug }) => roomStream(slug)));
  const api = `${call.base_path}/api/v1`;
  const invitations = await Promise.all(
    pending.map(async ({ id, slug, invited_by, created_at, expires_at }) => {
      const room = await bar.rooms.get(slug);
      const inviter = await bar.agents.get(invited_by);
      if (!room || !inviter) throw new Error('an invitation is to no room or by nobody');
      return {
        id,
        room: roomView(room, heads.get(roomStream(slug))),
        invited_by: { agent_id: invited_by, name: inviter.name, state: inviter.state },
        created_at: printInstant(created_at),
        expires_at: printInstant(expires_at),
        accept: `POST ${api}/rooms/${slug}/join`,
        decline: `POST ${api}/invitations/${id}/decline`,
      };
    }),
  );
  return { status: 200, body: { invitations } };
}
