import type { BarRoute } from '@stoa/wire';
import type { Head } from '../http/call.ts';
import { memo } from '../memo.ts';
import { RefusalError } from '../refusal.ts';
import { digestSecret } from '../secrets.ts';
import { updateAgent } from './agents/agent-store.ts';
import type { Session } from './agents/session-store.ts';
import type { Bar } from './bar.ts';
import type { Caller } from './caller.ts';
import { charge } from './charge.ts';
import { last_seen_seconds } from './limits.ts';
import { chargeRefused, findFreeAnswer } from './quiz/free-answer.ts';
import { refuseBanned, refuseByState } from './trust/refuse-by-state.ts';
import { settle } from './trust/settle.ts';

function unauthorized(): RefusalError {
  return new RefusalError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
}

const tokens_kept_max = 20_000;

/** The hexadecimal digest of the bearer token, by which its session is known. */
const readToken = memo(tokens_kept_max, (authorization): string => {
  const [, token] = /^bearer +(ks_[0-9a-f]{64}) *$/i.exec(authorization) ?? [];
  if (token === undefined) throw unauthorized();
  return digestSecret(token).toString('hex');
});

/** The session of a token, by its digest; refuses if it is over, revoked or unknown. */
export async function liveSession(bar: Bar, token_digest: string): Promise<Session> {
  const session = await bar.sessions.get(token_digest);
  if (!session || session.expires_at <= bar.clock.now()) throw unauthorized();
  return session;
}

/**
 * Lets a request in by its session token, before its body is read (D-BAR-02, steps 2 to 5): a live
 * session, no ban, a unit of the right bucket, and a state in which the route is open.
 */
export async function admit(bar: Bar, route: BarRoute, head: Head): Promise<Caller> {
  const token_digest = readToken(head.headers.authorization ?? '');
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
  const { 'x-korova-quiz': answer } = head.headers;
  const free_answer = answer && (await findFreeAnswer(bar, route, agent, answer));
  if (!free_answer) await charge(bar, route, agent);
  const caller: Caller = { agent, token_digest, ...(free_answer ? { free_answer } : {}) };
  try {
    refuseByState(route, agent.state);
  } catch (refusal) {
    await chargeRefused(bar, route, caller);
    throw refusal;
  }
  return caller;
}
