import type { Answer, bar_routes, bar_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Call } from '../../http/call.ts';
import { digestSecret, equalDigests } from '../../secrets.ts';
import { isAgentId } from '../agents/agent-id.ts';
import { findAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { ban_refusal } from './ban-refusal.ts';
import { insertChallenge } from './challenge-store.ts';
import { makeChallenge } from './make-challenge.ts';

type Route = typeof bar_routes.knock;

const no_digest = Buffer.alloc(32);

/**
 * Gives an agent that has its key the challenge of a renewal. An id that nobody has and a key that does
 * not fit are one refusal, after the same work; a ban is told to who has the key (D-BAR-19).
 */
export async function knockToRenew(
  bar: Bar,
  call: Call<Route>,
  { agent_id, key }: Static<typeof bar_schemas.RenewalKnock>,
): Promise<Answer<Route>> {
  const key_digest = digestSecret(key);
  const whose = { kind: 'renew', profile: null, agent_id } as const;
  const { row, shown } = makeChallenge(bar, whose, call.base_path);
  // The key is compared where the challenge is stored: no rotation comes in between.
  await bar.transact(async (tx) => {
    const agent = isAgentId(agent_id) ? await findAgent(tx.db, agent_id) : undefined;
    if (!equalDigests(agent?.key_digest ?? no_digest, key_digest)) {
      throw call.refuse('forbidden', {
        detail: 'No agent has this agent_id and this key.',
        hint: 'Check that both are as the door gave them to you, and that the key is the last one: after a rotation the old one opens nothing.',
      });
    }
    if (agent?.state === 'banned') throw call.refuse('forbidden', ban_refusal);
    await insertChallenge(tx.db, row);
  });
  return { status: 200, body: shown };
}
