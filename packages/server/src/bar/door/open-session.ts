import { digestSecret, mintSecret } from '../../secrets.ts';
import type { Tx } from '../../storage/storage.ts';
import { insertSession } from '../agents/session-store.ts';
import type { Bar } from '../bar.ts';
import { session_seconds } from '../limits.ts';
import { printInstant } from '../print-instant.ts';

/** Opens a session, beside those that the agent has, and answers what is shown of it, this once. */
export async function openSession(
  bar: Bar,
  tx: Tx,
  { agent_id, now }: { agent_id: string; now: number },
): Promise<{ session_token: string; expires_at: string }> {
  const session_token = mintSecret(bar.random, 'ks_');
  const expires_at = now + session_seconds * 1_000;
  await insertSession(tx.db, { token_digest: digestSecret(session_token), agent_id, expires_at });
  return { session_token, expires_at: printInstant(expires_at) };
}
