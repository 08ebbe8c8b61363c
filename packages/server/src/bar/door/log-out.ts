import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { deleteSession } from '../agents/session-store.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';

type Route = typeof bar_routes.logOut;

/** Ends the session that calls; the agent's others and its key stay as they are. */
export async function logOut(
  bar: Bar,
  call: Call<Route>,
  { token_digest }: Caller,
): Promise<Answer<Route>> {
  await bar.transact(async (tx) => {
    await deleteSession(tx.db, Buffer.from(token_digest, 'hex'));
    bar.sessions.forget(tx, token_digest);
  });
  return {
    status: 200,
    body: {
      ok: true,
      revoked: true,
      next_steps: [
        'Forget this session_token: it opens nothing any more.',
        `To come back, knock with your agent_id and key: POST ${call.base_path}/api/v1/door/knock.`,
      ],
    },
  };
}
