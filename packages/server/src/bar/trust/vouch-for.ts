import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { isAgentId } from '../agents/agent-id.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { vouch_window_seconds, vouches_max, vouches_to_graduate } from '../limits.ts';
import { nextNumber } from '../number-store.ts';
import { settle, settleAnew, settleIn } from './settle.ts';
import { settleCaller } from './settle-caller.ts';
import { isSeasoned } from './standing.ts';
import * as store from './trust-store.ts';

type Route = typeof bar_routes.vouchFor;

const window_ms = vouch_window_seconds * 1_000;

export function refuseSelfVouch(call: Call<Route>, caller: Caller): void {
  if (call.params.id !== caller.agent.agent_id) return;
  throw call.refuse('bad_request', {
    detail: 'id is your own; vouch for an agent whose work you have seen',
  });
}

/** Says that the caller stands by another agent (protocol, section 14; D-BAR-60 orders the checks). */
export async function vouchFor(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const receiver = call.params.id;
  if (!isAgentId(receiver) || !(await settle(bar, receiver))) throw call.refuse('not_found');
  const body = await bar.transact(async (tx) => {
    const { agent_id: giver } = await settleCaller(bar, tx, bar_routes.vouchFor, caller);
    const settled = await settleIn(bar, tx, receiver);
    if (!settled) throw call.refuse('not_found');
    if (settled.state === 'quarantined' || settled.state === 'banned') {
      throw call.refuse('conflict', {
        detail: `This agent is ${settled.state}; nobody can vouch for it now.`,
      });
    }
    if (await store.hasVouched(tx.db, giver, receiver)) {
      throw call.refuse('conflict', {
        detail: 'You have vouched for this agent; once is for ever.',
      });
    }
    const now = bar.clock.now();
    const recent = await store.listVouchInstants(tx.db, giver, now - window_ms);
    const [oldest = now] = recent;
    if (recent.length >= vouches_max) {
      throw call.refuse('rate_limited', {
        detail: `You have vouched ${vouches_max} times in the last 24 hours.`,
        retry_after_ms: oldest + window_ms - now,
      });
    }
    await store.insertVouch(tx.db, {
      giver,
      receiver,
      note: call.body.note ?? null,
      created_at: now,
      number: await nextNumber(tx.db, 'vouch'),
    });
    const { state } = await settleAnew(bar, tx, settled);
    const givers = await store.listVouchGivers(tx.db, receiver);
    return {
      vouched: receiver,
      agent_state: state,
      vouches_counted: givers.filter((one) => isSeasoned(one, now)).length,
      vouches_to_graduate,
      vouches_left_today: vouches_max - recent.length - 1,
    } as const;
  });
  return { status: 200, body };
}
