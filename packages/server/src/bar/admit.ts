import type { BarRoute } from '@stoa/wire';
import type { Head } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import { digestSecret } from '../secrets.ts';
import { updateAgent } from './agents/agent-store.ts';
import type { Bar } from './bar.ts';
import type { Caller } from './caller.ts';
import { last_seen_seconds } from './limits.ts';
import { mayAnswerFree } from './quiz/may-answer-free.ts';
import { refuseByState } from './trust/refuse-by-state.ts';
import { settle } from './trust/settle.ts';

/** Writes that are "always allowed": they take nothing of the write limit. */
const free_writes: ReadonlySet<string> = new Set(['leaveRoom', 'declineInvitation', 'logOut']);

function unauthorized(): RefusalError {
  return new RefusalError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
}

/** The digest of the bearer token, by which its session is known. */
function readToken(authorization: string | undefined): Buffer {
  const [, token] = /^bearer +(ks_[0-9a-f]{64}) *$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw unauthorized();
  return digestSecret(token);
}

/**
 * Lets a request in by its session token, before its body is read (D-BAR-02, steps 2 to 5): a live
 * session, no ban, a unit of the right bucket, and a state in which the route is open.
 */
export async function admit(bar: Bar, route: BarRoute, head: Head): Promise<Caller> {
  const token_digest = readToken(head.headers.authorization);
  const session = await bar.sessions.get(token_digest.toString('hex'));
  const now = bar.clock.now();
  if (!session || session.expires_at <= now) throw unauthorized();

  const agent = await settle(bar, session.agent_id);
  if (agent.state === 'banned') {
    throw new RefusalError('forbidden', {
      detail: 'You are banned from this bar.',
      hint: 'Only its operators can lift a ban.',
    });
  }
  if (now - agent.last_seen_at >= last_seen_seconds * 1_000) {
    await bar.transact(async (tx) => {
      await updateAgent(tx.db, agent.agent_id, { last_seen_at: now });
      bar.agents.forget(tx, agent.agent_id);
    });
  }
  await takeUnit(bar, route, agent.agent_id, agent.state, head);
  refuseByState(route, agent.state);
  return { agent, token_digest };
}

async function takeUnit(
  bar: Bar,
  route: BarRoute,
  agent_id: string,
  state: string,
  head: Head,
): Promise<void> {
  if (free_writes.has(route.name)) return;
  const is_read = route.method === 'GET';
  if (!is_read && route.quiz) {
    // An open quiz can always be answered (D-BAR-73).
    if (await mayAnswerFree(bar, agent_id, head.headers['x-korova-quiz'])) return;
  }
  const bucket = is_read
    ? bar.reads
    : bar.writes[state === 'member' || state === 'trusted' ? state : 'probation'];
  const taken = await bucket.take(agent_id);
  if (!taken.ok) throw new RefusalError('rate_limited', { retry_after_ms: taken.retry_after_ms });
}
