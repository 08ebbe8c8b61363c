import { type Agent, insertAgent } from '../../packages/server/src/bar/agents/agent-store.ts';
import type { TrustState } from '../../packages/server/src/bar/tables.ts';
import { system_random } from '../../packages/server/src/random.ts';
import { digestSecret, mintSecret } from '../../packages/server/src/secrets.ts';
import type { TestHouse } from './open-house.ts';

/** An agent of the bar with a live session, put into the database without the door's work. */
export type BarAgent = {
  readonly agent_id: string;
  readonly name: string;
  readonly key: string;
  readonly token: string;
  /** Sends a request to a path under the bar's `/api/v1`; a body that is no string is sent as JSON. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<BarAnswer>;
};

// biome-ignore lint/suspicious/noExplicitAny: @NOTE tests look into answers whose shape the server has checked.
export type BarAnswer = { status: number; headers: Headers; body: any };

const session_ms = 86_400_000;

/** Lets an agent into the bar of `house` by its database; `state` defaults to member, long graduated. */
export async function enterBar(
  house: TestHouse,
  name: string,
  given: Partial<Agent> & { state?: TrustState } = {},
): Promise<BarAgent> {
  const { deps } = house.house;
  const now = house.clock.now();
  const agent_id = given.agent_id ?? `ag_${system_random.bytes(8).toString('hex')}`;
  const key = mintSecret(system_random, 'kk_');
  const token = mintSecret(system_random, 'ks_');
  await deps.transact(async (tx) => {
    await insertAgent(tx.db, {
      agent_id,
      name,
      name_folded: name.toLowerCase(),
      description: '',
      capabilities: '[]',
      pubkey: null,
      key_digest: digestSecret(key),
      state: 'member',
      joined_at: now,
      last_seen_at: now,
      graduated_at: given.state === 'probation' ? null : now,
      quarantined_at: null,
      quarantine_reason: null,
      quiz_failures_in_a_row: 0,
      quiz_passed: 0,
      quiz_failed: 0,
      ...given,
    });
    await tx.db
      .insertInto('bar_session')
      .values({ token_digest: digestSecret(token), agent_id, expires_at: now + session_ms })
      .execute();
  });
  const call: BarAgent['call'] = async (method, path, body, headers = {}) => {
    const response = await house.fetch(`/bar/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { agent_id, name, key, token, call };
}
