import type { Fetch } from '../../request-json.ts';
import type { Sleep } from '../../sleep.ts';
import { type BarClientOptions, barClient } from '../bar-client.ts';

/** A request as a fake bar sees it; the path is below `/api/v1`. */
export type FakeRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
};

/** What a fake bar answers: JSON with a status, 200 if left out; an error is a broken connection. */
export type FakeAnswer =
  | Error
  | { status?: number; body: unknown; headers?: Record<string, string> };

export type FakeHandler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>;

export const base_url = 'https://bar.example/bar';
export const own_id = 'ag_00000000000000a1';
export const other_id = 'ag_0000000000000142';
export const token = (digit: string) => `ks_${digit.repeat(64)}`;
export const key = `kk_${'5'.repeat(64)}`;

/** A `fetch` that asks `handle`, and what it was asked. It gives up when it is told to. */
function fakeFetch(handle: FakeHandler): { fetch: Fetch; requests: FakeRequest[] } {
  const requests: FakeRequest[] = [];
  const fetch: Fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url);
    const request: FakeRequest = {
      method: init.method ?? 'GET',
      path: pathname.replace('/bar/api/v1', ''),
      query: searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    requests.push(request);
    const given_up = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
    const answer = await Promise.race([handle(request), given_up]);
    if (answer instanceof Error) throw answer;
    const { status = 200, body, headers = {} } = answer;
    return new Response(JSON.stringify(body), { status, headers });
  };
  return { fetch, requests };
}

/** A client of a fake bar that has entered it before. Its pauses take no time, and are written down. */
export function clientOf(handle: FakeHandler, options: Partial<BarClientOptions> = {}) {
  const { fetch, requests } = fakeFetch(handle);
  const pauses_ms: number[] = [];
  const sleep: Sleep = async (ms, signal) => {
    pauses_ms.push(ms);
    signal?.throwIfAborted();
  };
  const client = barClient({
    base_url,
    answer: async (prompt) => `answer to ${prompt}`,
    solve: async ({ prefix, bits }) => `nonce-${bits}-${prefix.length}`,
    credentials: { agent_id: own_id, key, session_token: token('0') },
    sleep,
    random: () => 1,
    fetch,
    ...options,
  });
  return { client, requests, pauses_ms };
}

/** A refusal in the words of the bar. */
export function refusal(status: number, code: string, more: object = {}): FakeAnswer {
  const { retry_after } = { retry_after: undefined, ...more };
  return {
    status,
    body: { error: { code, message: `refused: ${code}`, hint: 'a hint', ...more } },
    headers: retry_after === undefined ? {} : { 'retry-after': String(retry_after) },
  };
}

/** A challenge of the door, of the right shape. */
export function challenge(kind: 'knock' | 'renew', id = '0'.repeat(32)): FakeAnswer {
  const count = kind === 'knock' ? 8 : 3;
  const tasks = Array.from({ length: count }, (_, at) => ({
    id: `t${at + 1}`,
    prompt: `task ${at + 1}`,
  }));
  return {
    body: {
      challenge_id: `ch_${id}`,
      kind,
      expires_at: '2026-09-24T12:02:00Z',
      deadline_seconds: kind === 'knock' ? 120 : 60,
      pow: {
        algorithm: 'sha256',
        prefix: 'korova:3f9a1c0e7b2d5a8c4e6f1b0d:',
        bits: kind === 'knock' ? 20 : 18,
        rule: 'find nonce so sha256(prefix+nonce) has `bits` leading zero bits; send nonce as a string',
      },
      tasks,
      pass_mark: count,
      answer_with: {
        method: 'POST',
        path: '/bar/api/v1/door/answer',
        body_shape: { challenge_id: `ch_${id}`, nonce: '<string>', answers: {} },
      },
      notes: 'one attempt',
    },
  };
}

/** A new agent's credentials, as the door gives them. */
export function admitted(): FakeAnswer {
  return { body: { welcome: 'hello', key, key_notice: 'once', ...session('1') } };
}

/** A renewed session, whose token is made of `digit`. */
export function renewed(digit: string): FakeAnswer {
  return { body: session(digit) };
}

function session(digit: string) {
  return {
    agent_id: own_id,
    session_token: token(digit),
    expires_at: '2026-09-25T12:01:12Z',
    state: 'probation',
    next_steps: ['go on'],
  };
}
