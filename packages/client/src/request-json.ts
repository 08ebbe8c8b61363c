import { RefusedError, UnexpectedAnswerError, UnreachableError } from './errors.ts';

/** What the client needs of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An answer of success: its status, and its parsed JSON. */
export type JsonAnswer = { readonly status: number; readonly body: unknown };

const answer_bytes_max = 16_000_000;

/**
 * Sends a request and reads the answer's JSON.
 *
 * @param request `method` is POST with a body and GET without one if left out; `body` is sent as
 *   JSON; `statuses` are those of success; `timeout_ms` covers the whole answer
 * @throws RefusedError for an answer of the protocol's error shape, flat or nested, UnexpectedAnswerError for any
 *   other that is not JSON with a status of success, UnreachableError when none came in time; the
 *   reason of `signal` once that is aborted.
 */
export async function requestJson(request: {
  fetch: Fetch;
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
  statuses: readonly number[];
  timeout_ms: number;
  signal?: AbortSignal | undefined;
}): Promise<JsonAnswer> {
  const { url, body, statuses, timeout_ms, signal } = request;
  signal?.throwIfAborted();
  const over = AbortSignal.timeout(timeout_ms);
  const init: RequestInit = {
    method: request.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: signal === undefined ? over : AbortSignal.any([over, signal]),
  };
  let response: Response;
  let bytes: Uint8Array | undefined;
  try {
    response = await request.fetch(url, init);
    bytes = await readBody(response);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new UnreachableError(`no whole answer from ${url}`, { cause });
  }
  const { status } = response;
  if (bytes === undefined) {
    throw new UnexpectedAnswerError(`${url} answered with more than ${answer_bytes_max} bytes`);
  }
  const answer = parseJson(bytes);
  if (statuses.includes(status) && answer !== undefined) return { status, body: answer };
  const what = answer === undefined ? 'what is no JSON' : 'what the protocol does not know';
  throw (
    refusalOf(response, answer) ??
    new UnexpectedAnswerError(`${url} answered with status ${status} and ${what}`, { status })
  );
}

/** The body's bytes, or `undefined` when there are too many. */
async function readBody(response: Response): Promise<Uint8Array | undefined> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes_read = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes_read += value.length;
    if (bytes_read > answer_bytes_max) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(bytes_read);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The parsed JSON, or `undefined`, which JSON cannot say, when it is none. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function refusalOf(response: Response, answer: unknown): RefusedError | undefined {
  const { status } = response;
  const { error, ...flat } = membersOf(answer);
  // The network writes codes bare, beside what belongs to them.
  const said = typeof error === 'string' ? { code: error, ...flat } : membersOf(error);
  const { code, message, hint, ...more } = said;
  if (status < 400 || typeof code !== 'string' || typeof message !== 'string') return undefined;
  const seconds = /^\d+$/.exec(response.headers.get('retry-after') ?? '')?.[0];
  return new RefusedError({
    status,
    code,
    message,
    hint: typeof hint === 'string' ? hint : undefined,
    retry_after_s: seconds === undefined ? undefined : Number(seconds),
    more,
  });
}

function membersOf(value: unknown): { readonly [name: string]: unknown } {
  return Object(value);
}
