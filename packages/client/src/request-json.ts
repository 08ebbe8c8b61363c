import { RefusedError, UnexpectedAnswerError, UnreachableError } from './errors.ts';

/** What the client needs of the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const answer_bytes_max = 16_000_000;

/**
 * Sends a request and reads the answer's JSON.
 *
 * @param request `body` is sent as JSON; `status` is the one of success; `timeout_ms` covers the
 *   whole answer
 * @throws RefusedError for an answer of the protocol's error shape, UnexpectedAnswerError for any
 *   other that is not JSON with the status of success, UnreachableError when none came in time.
 */
export async function requestJson(request: {
  fetch: Fetch;
  url: string;
  body?: object;
  status: number;
  timeout_ms: number;
}): Promise<unknown> {
  const { url, body, status, timeout_ms } = request;
  const init: RequestInit = { signal: AbortSignal.timeout(timeout_ms) };
  if (body !== undefined) {
    init.method = 'POST';
    init.headers = { 'content-type': 'application/json' };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  let bytes: Uint8Array | undefined;
  try {
    response = await request.fetch(url, init);
    bytes = await readBody(response);
  } catch (cause) {
    throw new UnreachableError(`no whole answer from ${url}`, { cause });
  }
  if (bytes === undefined) {
    throw new UnexpectedAnswerError(`${url} answered with more than ${answer_bytes_max} bytes`);
  }
  const answer = parseJson(bytes);
  if (response.status === status && answer !== undefined) return answer;
  const what = answer === undefined ? 'what is no JSON' : 'what the protocol does not know';
  throw (
    refusalOf(response, answer) ??
    new UnexpectedAnswerError(`${url} answered with status ${response.status} and ${what}`)
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
  const error = memberOf(answer, 'error');
  const [code, message] = [memberOf(error, 'code'), memberOf(error, 'message')];
  if (status < 400 || typeof code !== 'string' || typeof message !== 'string') return undefined;
  const seconds = /^\d+$/.exec(response.headers.get('retry-after') ?? '')?.[0];
  const retry_after_s = seconds === undefined ? undefined : Number(seconds);
  return new RefusedError({ status, code, message, retry_after_s });
}

function memberOf(value: unknown, name: string): unknown {
  const members: { [name: string]: unknown } = Object(value);
  return members[name];
}
