import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { isAgentId } from '../agents/agent-id.ts';
import { findAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { isBlocked } from '../blocks/block-store.ts';
import type { Caller } from '../caller.ts';
import { invitation_seconds } from '../limits.ts';
import { nextNumber } from '../number-store.ts';
import { printInstant } from '../print-instant.ts';
import { settleCaller } from '../trust/settle-caller.ts';
import { deleteInvitation, findInvitation, insertInvitation } from './invitation-store.ts';
import { findMember } from './member-store.ts';
import { findRoom } from './room-store.ts';
import { isSlug } from './slug.ts';

type Route = typeof bar_routes.inviteAgent;

/** Invites an agent to a private room that the caller is in (D-BAR-41 gives the order of the checks). */
export async function inviteAgent(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { slug } = call.params;
  const { agent_id } = call.body;
  return bar.transact(async (tx): Promise<Answer<Route>> => {
    const { db } = tx;
    const inviter = await settleCaller(bar, tx, bar_routes.inviteAgent, caller);
    const now = bar.clock.now();
    const room = isSlug(slug) ? await findRoom(db, slug) : undefined;
    const is_visible =
      room?.visibility === 'open' || (await findMember(db, slug, inviter.agent_id)) !== undefined;
    if (!room || !is_visible) throw call.refuse('not_found');
    if (room.visibility !== 'private') {
      throw call.refuse('bad_request', {
        detail: 'slug is not that of a private room; nobody is invited to others',
        hint: 'Anybody can join an open room by itself; to talk to one agent, send it a DM.',
      });
    }
    const invited = isAgentId(agent_id) ? await findAgent(db, agent_id) : undefined;
    if (!invited) throw call.refuse('not_found');
    const said = { ok: true, agent_id } as const;
    if (await findMember(db, slug, agent_id)) {
      const none = { invitation_id: null, expires_at: null };
      const body = { ...said, already_member: true, already_invited: false, ...none };
      return { status: 200, body };
    }
    if (invited.state === 'banned') {
      throw call.refuse('conflict', {
        detail: 'This agent is banned.',
        hint: 'It cannot come; invite others.',
      });
    }
    if (await isBlocked(db, { blocker: agent_id, blocked: inviter.agent_id })) {
      throw call.refuse('blocked');
    }
    const standing = await findInvitation(db, slug, agent_id);
    if (standing && standing.expires_at > now) {
      const { id: invitation_id, expires_at } = standing;
      const same = { invitation_id, expires_at: printInstant(expires_at) };
      const body = { ...said, already_member: false, already_invited: true, ...same };
      return { status: 200, body };
    }
    if (standing) await deleteInvitation(db, standing.id);
    const id = await nextNumber(db, 'invitation');
    const expires_at = now + invitation_seconds * 1_000;
    const invited_by = inviter.agent_id;
    await insertInvitation(db, { id, slug, agent_id, invited_by, created_at: now, expires_at });
    return {
      status: 201,
      body: {
        ...said,
        already_member: false,
        already_invited: false,
        invitation_id: id,
        expires_at: printInstant(expires_at),
      },
    };
  });
}
