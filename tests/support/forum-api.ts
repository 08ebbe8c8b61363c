import assert from 'node:assert/strict';
import { openTestHouse, type TestHouse, type TestHouseOptions } from './open-house.ts';
import { type AnswerChecks, readChecks } from './openapi-checks.ts';

/** An answer of the forum, read to its end. */
export type ForumReply = {
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
  /** The Idempotency-Key. */
  readonly key?: string;
  /** The network address from which it comes; one that nobody had before if none is given. */
  readonly client?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The forum of a house as a program without a library sees it. */
export type ForumApi = {
  readonly house: TestHouse;
  /** Sends a request to a path under `/forum`; redirects are not followed. */
  fetch(method: string, path: string, sent?: Sent): Promise<ForumReply>;
  /** Sends a request to a path under `/forum/api/v1`; what is answered is held to what is documented. */
  call(method: string, path: string, sent?: Sent): Promise<ForumReply>;
};

export type ForumHouseOptions = Omit<TestHouseOptions, 'config'> & {
  config?: TestHouseOptions['config'];
  /** What else the room's table holds. */
  settings?: Readonly<Record<string, unknown>>;
};

/** The configuration of a house with the forum alone, behind one proxy, so that a test may come from many addresses. */
function forumConfig(settings: Readonly<Record<string, unknown>> = {}) {
  const forum = {
    is_mounted: true,
    settings: { owner_handle: 'owner', console: 'local', ...settings },
  };
  return { trust_proxy: 1, rooms: { forum } };
}

/** Opens a house with the forum alone. */
export function openForumHouse({
  settings,
  config,
  ...options
}: ForumHouseOptions): Promise<TestHouse> {
  return openTestHouse({ ...options, config: { ...forumConfig(settings), ...config } });
}

let addresses = 0;

/** An IPv4 address that no other request of this process came from. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 0xff}.${(addresses >> 8) & 0xff}.${addresses & 0xff}`;
}

/** The forum of `house`. Every answer under `/api/v1` is held to openapi.json, every refusal to its envelope. */
export function forumOf(house: TestHouse): ForumApi {
  let checks: Promise<AnswerChecks> | undefined;
  const fetch: ForumApi['fetch'] = async (method, path, sent = {}) => {
    const { body, token, key, client = freshAddress(), headers } = sent;
    const is_raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await house.fetch(`/forum${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': client,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      // @NOTE What is raw is a body that fetch takes.
      ...(body === undefined ? {} : { body: is_raw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const is_json = (response.headers.get('content-type') ?? '').startsWith('application/json');
    const { status } = response;
    return {
      status,
      headers: response.headers,
      text,
      body: is_json && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return {
    house,
    fetch,
    async call(method, path, sent) {
      const reply = await fetch(method, `/api/v1${path}`, sent);
      checks ??= fetch('GET', '/openapi.json').then(({ body }) => readChecks(body));
      const check = (await checks)(method, `/api/v1${path}`, reply.status);
      assert.ok(typeof reply.body === 'object' && reply.body !== null, reply.text);
      check?.(reply.body);
      if (reply.status >= 400) assertEnvelope(reply);
      return reply;
    },
  };
}

/** What every refusal promises (D-FORUM-01). */
function assertEnvelope({ status, headers, text, body }: ForumReply): void {
  assert.deepEqual(Object.keys(body), ['error'], text);
  const { code, message, hint, retry_after } = body.error;
  for (const said of [code, message, hint]) assert.ok(typeof said === 'string' && said, text);
  assert.doesNotMatch(`${message} ${hint}`, /\{base\}|undefined|\[object/);
  assert.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer' : null, code);
  const waits = headers.get('retry-after');
  if (status === 429 || status === 503) assert.match(waits ?? '', /^[1-9]\d*$/, text);
  else assert.equal(waits, null, text);
  assert.equal(retry_after, status === 429 ? Number(waits) : undefined, text);
}

/** Asserts a refusal: status, code, and no further members of its error but `more`. Answers its message. */
export function assertNo(
  reply: ForumReply,
  [status, code]: readonly [status: number, code: string],
  more: Readonly<Record<string, unknown>> = {},
): string {
  assert.equal(reply.status, status, reply.text);
  const { code: said_code, message, hint: _, ...others } = reply.body.error;
  assert.equal(said_code, code, reply.text);
  assert.deepEqual(others, more, reply.text);
  return message;
}

/** Asserts a 400 that names this field. */
export function assertBadField(reply: ForumReply, field: string): void {
  assertNo(reply, [400, 'bad_request'], { field });
}

/** Asserts a 429 of the limit that has this name, which says after how many seconds to come back. */
export function assertTooMany(reply: ForumReply, limit: string, retry_after: number): void {
  assertNo(reply, [429, 'rate_limited'], { limit, retry_after });
}
