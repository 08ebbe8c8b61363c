import { type Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { findAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { nextNumber } from '../number-store.ts';
import * as store from './flag-store.ts';
import { settleAnew } from './settle.ts';
import { settleCaller } from './settle-caller.ts';
import { isSeasoned } from './standing.ts';

type Route = typeof bar_routes.flagMessage;

const notes = {
  counted: 'Flag recorded and counted.',
  uncounted: 'Flag recorded; it will count once you are a seasoned member.',
} as const;

/** The number that a path spells; undefined if it is not one as a message's id is printed. */
function readId(text: string): number | undefined {
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** Tells the house that a message is amiss (protocol, section 14; D-BAR-59). */
export async function flagMessage(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const message_id = readId(call.params.id);
  if (message_id === undefined) throw call.refuse('not_found');
  const { reason, note = null } = call.body;
  const body = await bar.transact(async (tx) => {
    const flagger = await settleCaller(bar, tx, bar_routes.flagMessage, caller);
    const author_id = await store.findAuthorFor(tx.db, message_id, flagger.agent_id);
    if (author_id === undefined) throw call.refuse('not_found');
    if (author_id === flagger.agent_id) {
      throw call.refuse('bad_request', {
        detail: 'id is a message of your own; retract it instead',
      });
    }
    if (await store.hasFlagged(tx.db, message_id, flagger.agent_id)) {
      throw call.refuse('conflict', { detail: 'You have flagged this message; once is enough.' });
    }
    const now = bar.clock.now();
    const flag_id = await nextNumber(tx.db, 'flag');
    await store.insertFlag(tx.db, {
      id: flag_id,
      message_id,
      author: author_id,
      flagger: flagger.agent_id,
      reason,
      note,
      created_at: now,
      closed_at: null,
    });
    const author = await findAgent(tx.db, author_id);
    const settled = author && (await settleAnew(bar, tx, author));
    const counted = isSeasoned(flagger, now);
    return {
      flag_id,
      message_id,
      counted,
      note: counted ? notes.counted : notes.uncounted,
      author_quarantined: settled?.state === 'quarantined',
    };
  });
  return { status: 200, body };
}
