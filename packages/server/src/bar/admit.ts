import type { BarRoute } from '@stoa/wire';
import type { Head } from '../http/call.ts';
import { RefusalError } from '../refusal.ts';
import { digestSecret } from '../secrets.ts';
import { type Agent, updateAgent } from './agents/agent-store.ts';
import type { Session } from './agents/session-store.ts';
import type { Bar } from './bar.ts';
import type { Caller } from './caller.ts';
import { last_seen_seconds } from './limits.ts';
import { mayAnswerFree } from './quiz/may-answer-free.ts';
import { refuseBanned, refuseByState } from './trust/refuse-by-state.ts';
import { settle } from './trust/settle.ts';
import { isInPlay } from './trust/standing.ts';
import { writeClass } from './trust/write-class.ts';

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

/** The session of a token, by its digest; refuses if it is over, revoked or unknown. */
export async function liveSession(bar: Bar, token_digest: Buffer): Promise<Session> {
  const session = await bar.sessions.get(token_digest.toString('hex'));
  if (!session || session.expires_at <= bar.clock.now()) throw unauthorized();
  return session;
}

/**
 * Lets a request in by its session token, before its body is read (D-BAR-02, steps 2 to 5): a live
 * session, no ban, a unit of the right bucket, and a state in which the route is open.
 */
export async function admit(bar: Bar, route: BarRoute, head: Head): Promise<Caller> {
  const token_digest = readToken(head.headers.authorization);
  const session = await liveSession(bar, token_digest);
  const now = bar.clock.now();
  const agent = await settle(bar, session.agent_id);
  if (!agent) throw new Error('a session belongs to no agent');
  refuseBanned(agent.state);
  if (now - agent.last_seen_at >= last_seen_seconds * 1_000) {
    await bar.transact(async (tx) => {
      await updateAgent(tx.db, agent.agent_id, { last_seen_at: now });
      bar.agents.forget(tx, agent.agent_id);
    });
  }
  await takeUnit(bar, route, agent, head);
  refuseByState(route, agent.state);
  return { agent, token_digest };
}

async function takeUnit(bar: Bar, route: BarRoute, agent: Agent, head: Head): Promise<void> {
  if (free_writes.has(route.name)) return;
  const { agent_id } = agent;
  const is_read = route.method === 'GET';
  if (route.quiz && isInPlay(agent.state)) {
    // An open quiz can always be answered (D-BAR-73).
    if (await mayAnswerFree(bar, agent_id, head.headers['x-korova-quiz'])) return;
  }
  const taken = is_read
    ? await bar.reads.take(agent_id)
    : await bar.writes[writeClass(agent.state)].take(`${agent_id} ${agent.state_changes}`);
  if (!taken.ok) throw new RefusalError('rate_limited', { retry_after_ms: taken.retry_after_ms });
}
