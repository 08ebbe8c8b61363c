import assert from 'node:assert/strict';
import type { Static } from 'typebox';
import { limits_schema } from '../../packages/server/src/network/limits.ts';
import type { Engine } from '../../packages/server/src/storage/storage.ts';
import { openTestHouse, type TestHouse, type TestHouseOptions } from './open-house.ts';
import { type AnswerChecks, readChecks } from './openapi-checks.ts';

/** An answer of the network, read to its end. */
export type NetworkReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: @NOTE tests look into answers whose shape was checked against openapi.json.
  readonly body: any;
};

export type Sent = {
  /** A text, octets or the fields of a form go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly passcode?: string;
  /** A token of Sigil. */
  readonly sigil?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An agent that has signed up. */
export type Agent = {
  readonly handle: string;
  readonly address: string;
  readonly account: string;
  readonly passcode: string;
};

/** The network of a house as a program without a library sees it. */
export type NetworkApi = {
  readonly house: TestHouse;
  /** Sends a request to a path under `/net`; redirects are not followed. */
  call(method: string, path: string, sent?: Sent): Promise<NetworkReply>;
  /** Signs an agent up; the house must allow as many. */
  signUp(name: string, more?: Readonly<Record<string, unknown>>): Promise<Agent>;
};

type NetworkLimits = Static<typeof limits_schema>;

/** What a house allows in tests that are not about limits. */
const raised: Partial<NetworkLimits> = {
  signups_per_hour_max: 100_000,
  signups_per_day_max: 100_000,
  house_signups_per_day_max: 100_000,
  messages_per_minute_max: 100_000,
  messages_per_day_max: 100_000,
  requests_per_day_max: 100_000,
  agent_requests_per_day_max: 100_000,
};

export type NetworkHouseOptions = Omit<TestHouseOptions, 'config'> & {
  engine: Engine;
  config?: TestHouseOptions['config'];
  /** Limits that differ from the raised ones of tests; `'protocol'` for those of the protocol. */
  limits?: Partial<NetworkLimits> | 'protocol';
  /** What else the room's table holds. */
  settings?: Readonly<Record<string, unknown>>;
};

/** The configuration of a house with the network alone. */
export function networkConfig({
  limits = {},
  settings = {},
}: Pick<NetworkHouseOptions, 'limits' | 'settings'> = {}) {
  const protocol = Object.fromEntries(
    Object.entries(limits_schema.properties).map(([name, schema]) => [
      name,
      (schema as { default?: number }).default,
    ]),
  );
  const chosen = limits === 'protocol' ? {} : { ...raised, ...limits };
  const network = {
    is_mounted: true,
    settings: { sigil: true, ...settings, limits: { ...protocol, ...chosen } },
  };
  return { rooms: { network } };
}

/** Opens a house with the network alone, in which signing up and writing have no bounds unless `limits` says so. */
export function openNetworkHouse(options: NetworkHouseOptions): Promise<TestHouse> {
  const { limits, settings, config = {}, ...house } = options;
  const chosen = {
    ...(limits === undefined ? {} : { limits }),
    ...(settings === undefined ? {} : { settings }),
  };
  return openTestHouse({ ...house, config: { ...networkConfig(chosen), ...config } });
}

/** The network of `house`. Answers of routes in openapi.json are held to it, refusals to their envelope. */
export function networkOf(house: TestHouse): NetworkApi {
  let checks: Promise<AnswerChecks> | undefined;
  const checksOf = async () => readChecks(await (await house.fetch('/net/openapi.json')).json());
  const call: NetworkApi['call'] = async (method, path, sent = {}) => {
    const { body, passcode, sigil, headers } = sent;
    const is_raw =
      typeof body === 'string' || body instanceof Uint8Array || body instanceof URLSearchParams;
    const response = await house.fetch(`/net${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined || body instanceof URLSearchParams
          ? {}
          : { 'content-type': 'application/json' }),
        ...(passcode === undefined ? {} : { 'x-inbox-passcode': passcode }),
        ...(sigil === undefined ? {} : { authorization: `Sigil ${sigil}` }),
        ...headers,
      },
      // @NOTE What is raw is a body that fetch takes.
      ...(body === undefined ? {} : { body: is_raw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status } = response;
    const is_json = (response.headers.get('content-type') ?? '').startsWith('application/json');
    const reply = {
      status,
      headers: response.headers,
      text,
      body: is_json ? JSON.parse(text) : undefined,
    };
    if (!is_json || method === 'HEAD') return reply;
    checks ??= checksOf();
    (await checks)(method, path, status)?.(reply.body);
    if (status >= 400) assertEnvelope(reply);
    return reply;
  };
  return {
    house,
    call,
    async signUp(name, more = {}) {
      const { status, text, body } = await call('POST', '/v1/registrations', {
        body: { name, ...more },
      });
      assert.equal(status, 201, text);
      const { handle, address, account, passcode } = body;
      return { handle, address, account, passcode };
    },
  };
}

/** What every refusal promises (NET-003). */
function assertEnvelope({ status, headers, text, body }: NetworkReply): void {
  const { error, message, hint, retry_after } = body;
  for (const said of [error, message, hint]) assert.ok(typeof said === 'string' && said, text);
  assert.doesNotMatch(`${message} ${hint}`, /\{base\}|undefined|\[object/);
  if (retry_after === undefined) {
    assert.equal(headers.get('retry-after'), null, text);
    return;
  }
  assert.ok(Number.isSafeInteger(retry_after) && retry_after >= 1, text);
  assert.equal(headers.get('retry-after'), String(retry_after));
  assert.ok([409, 429, 503].includes(status), text);
}

/** Asserts a refusal: status, code, and no further members but `more`. Answers its message. */
export function assertNo(
  reply: NetworkReply,
  [status, code]: readonly [status: number, code: string],
  more: Readonly<Record<string, unknown>> = {},
): string {
  assert.equal(reply.status, status, reply.text);
  const { error, message, hint: _, ...others } = reply.body;
  assert.equal(error, code, reply.text);
  assert.deepEqual(others, more);
  return message;
}
