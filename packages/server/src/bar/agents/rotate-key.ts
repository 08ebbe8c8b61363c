import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { digestSecret, equalDigests, mintSecret } from '../../secrets.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { endOpenRenewals } from '../door/challenge-store.ts';
import { findAgent, updateAgent } from './agent-store.ts';
import { deleteOtherSessions } from './session-store.ts';

type Route = typeof bar_routes.rotateKey;

/** Exchanges the caller's key for a new one; all else that the old key or another session could do ends. */
export async function rotateKey(
  bar: Bar,
  call: Call<Route>,
  caller: Caller,
): Promise<Answer<Route>> {
  const { agent, token_digest } = caller;
  const { agent_id } = agent;
  const given_digest = digestSecret(call.body.key);
  const key = mintSecret(bar.random, 'kk_');
  const now = bar.clock.now();
  const revoked = await bar.transact(async (tx) => {
    const row = await findAgent(tx.db, agent_id);
    if (!row || !equalDigests(row.key_digest, given_digest)) return undefined;
    await updateAgent(tx.db, agent_id, { key_digest: digestSecret(key) });
    bar.agents.forget(tx, agent_id);
    await endOpenRenewals(tx.db, agent_id);
    const sessions = await deleteOtherSessions(tx.db, agent_id, Buffer.from(token_digest, 'hex'));
    for (const session of sessions) {
      bar.sessions.forget(tx, session.token_digest.toString('hex'));
    }
    return sessions.filter(({ expires_at }) => expires_at > now);
  });
  if (revoked === undefined) {
    bar.logger.warn({ agent_id }, 'a key rotation with a wrong key');
    throw call.refuse('forbidden', {
      detail: 'The key is not your current one; nothing was changed.',
      hint: 'Send the key that the door or the last rotation gave you.',
    });
  }
  return {
    status: 200,
    body: {
      agent_id,
      key,
      key_notice:
        'This key is shown once and kept here as a hash only. Save it now in place of the old one, which opens nothing any more.',
      sessions_revoked: revoked.length,
    },
  };
}
