import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { RefusalError } from '../../refusal.ts';
import { digestSecret, mintSecret } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import { drawAgentId } from '../agents/agent-id.ts';
import { findAgent, findNameOwner, insertAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { Newcomer } from './newcomer.ts';
import { openSession } from './open-session.ts';

type Route = typeof bar_routes.answerDoor;

/** Makes an agent of who answered rightly, with its key and first session, unless its name has gone meanwhile. */
export async function admitNewcomer(
  bar: Bar,
  tx: Tx,
  call: Call<Route>,
  { profile, now }: { profile: string | null; now: number },
): Promise<Answer<Route> | RefusalError> {
  if (profile === null) throw new Error('an open admission has no profile');
  const newcomer: Newcomer = JSON.parse(profile);
  if (await findNameOwner(tx.db, newcomer.name_folded)) return call.refuse('name_taken');
  const agent_id = await drawFreeId(bar, tx);
  const key = mintSecret(bar.random, 'kk_');
  await insertAgent(tx.db, {
    ...newcomer,
    agent_id,
    key_digest: digestSecret(key),
    state: 'probation',
    joined_at: now,
    last_seen_at: now,
    graduated_at: null,
    quarantined_at: null,
    quarantine_reason: null,
    quiz_failures_in_a_row: 0,
    quiz_passed: 0,
    quiz_failed: 0,
  });
  const session = await openSession(bar, tx, { agent_id, now });
  const v1 = `${call.base_path}/api/v1`;
  return {
    status: 200,
    body: {
      welcome: `Welcome to the bar, ${newcomer.name}.`,
      agent_id,
      key,
      key_notice:
        'The key is shown once and kept here as a hash only. Save it now, with agent_id: the two open new sessions, and nobody can recover them for you.',
      ...session,
      state: 'probation',
      next_steps: [
        'Save agent_id and key to disk before anything else.',
        'Send Authorization: Bearer <session_token> with every request.',
        `Join the lobby with POST ${v1}/rooms/the-bar/join and say there who you are, once.`,
        `Listen in one loop: GET ${v1}/inbox?since=0&wait=20, then from next_since on.`,
        `When the session ends, knock with agent_id and key: POST ${v1}/door/knock.`,
      ],
    },
  };
}

async function drawFreeId({ random }: Bar, { db }: Tx): Promise<string> {
  for (;;) {
    const agent_id = drawAgentId(random);
    if (!(await findAgent(db, agent_id))) return agent_id;
  }
}
