import assert from 'node:assert/strict';
import type { TestHouse } from './open-house.ts';
import { type AnswerCheck, type AnswerChecks, type OpenApi, readChecks } from './openapi-checks.ts';
import { requestWith } from './raw-http.ts';

/** An answer of the bar, read to its end and held to what the bar promises of all its answers. */
export type BarReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: @NOTE tests look into answers whose shape was checked against openapi.json.
  readonly body: any;
};

export type Sent = {
  /** A text or octets go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The bar of a house as a program without a library sees it. */
export type BarApi = {
  /** Sends a request to a path under `/bar`. */
  fetch(method: string, path: string, sent?: Sent): Promise<BarReply>;
  /** Sends a request to a path under `/bar/api/v1`. */
  call(method: string, path: string, sent?: Sent): Promise<BarReply>;
};

/** No setting of a house changes what its routes answer, so that one document is read for all of them. */
let checks: AnswerChecks | undefined;

async function readOpenApi(house: TestHouse): Promise<OpenApi> {
  const answer = await house.fetch('/bar/openapi.json');
  return (await answer.json()) as OpenApi;
}

/**
 * The bar of `house`. Every answer under `/api/v1` is held to openapi.json (its route and status), to
 * JSON, and to `no-store`; every refusal to its envelope.
 */
export function barOf(house: TestHouse): BarApi {
  const send = async (method: string, path: string, { body, token, headers }: Sent = {}) => {
    const response = await house.fetch(`/bar${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(isSentAsJson(body) ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    });
    const text = await response.text();
    const read = { status: response.status, headers: response.headers, text };
    return { ...read, body: text === '' ? undefined : parse(text) };
  };
  return {
    fetch: send,
    async call(method, path, sent) {
      const answer = await send(method, `/api/v1${path}`, sent);
      checks ??= readChecks(await readOpenApi(house));
      assertPromised(answer, method, checks(method, `/api/v1${path}`, answer.status));
      return answer;
    },
  };
}

const isSentAsJson = (body: unknown) => body !== undefined && !(body instanceof Uint8Array);

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertPromised(answer: BarReply, method: string, check: AnswerCheck | undefined): void {
  const { status, headers, text, body } = answer;
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-type') ?? '', /^application\/json(; charset=utf-8)?$/);
  if (method === 'HEAD') {
    assert.equal(text, '');
    return;
  }
  assert.ok(typeof body === 'object' && body !== null, text);
  check?.(body);
  if (status < 400) return;
  const { code, message, hint } = body.error;
  for (const said of [code, message, hint]) assert.ok(typeof said === 'string' && said, text);
  assert.deepEqual(Object.keys(body), ['error']);
  assert.doesNotMatch(`${message} ${hint}`, /\{(base|\w+_\w+)\}|undefined|\[object/);
}

/**
 * Asserts a refusal: status, code, and no further members of its error but `more`. `about` is the field
 * with which its message begins. Answers the error.
 */
export function assertSaysNo(
  answer: BarReply,
  [status, code]: readonly [status: number, code: string],
  expected: { about?: string; more?: Readonly<Record<string, unknown>>; what?: string } = {},
): { code: string; message: string; hint: string } {
  const { about, more = {}, what = '' } = expected;
  assert.equal(answer.status, status, `${what} ${answer.text}`);
  const { code: said_code, message, hint, ...others } = answer.body.error;
  assert.equal(said_code, code, `${what} ${answer.text}`);
  assert.deepEqual(others, more, what);
  if (about !== undefined) {
    assert.ok(message.startsWith(`${about} `), `${what}: "${message}" is not about ${about}`);
  }
  return { code, message, hint };
}

/** Asserts a 429 with these seconds to wait, said twice. */
export function assertTooMany(answer: BarReply, retry_after_s: number): void {
  assertSaysNo(answer, [429, 'rate_limited'], { more: { retry_after: retry_after_s } });
  assert.equal(answer.headers.get('retry-after'), String(retry_after_s));
}

/** Sends a request to the house as if by the name `host`. */
export async function callHost(
  house: TestHouse,
  host: string,
  method: string,
  path: string,
  { body, token, headers }: Sent = {},
): Promise<BarReply> {
  const answer = await requestWith(house, path, {
    method,
    headers: {
      host,
      ...(isSentAsJson(body) ? { 'content-type': 'application/json' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: String(bodyOf(body)) }),
  });
  return { ...answer, body: answer.body };
}
