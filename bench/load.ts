import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { startChild } from '../tests/support/children.ts';

const connections = 64;

export type Load = {
  url: string;
  seconds: number;
  method?: 'GET' | 'POST';
  body?: string;
  headers?: Record<string, string>;
  /** Gives each request its own headers and body; called once a request. */
  vary?: () => { headers: Record<string, string>; body?: string };
  /** The status that every answer must have. */
  status: number;
};

/** Keeps 64 connections busy for `seconds`; answers requests a second. Throws if one answer is not as it should be. */
export async function requestRate(load: Load): Promise<number> {
  const { url, seconds, method = 'GET', body, headers = {}, vary, status } = load;
  const shared = { method, headers, ...(body === undefined ? {} : { body }) };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        ...shared,
        ...(vary
          ? {
              setupRequest: (request: autocannon.Request) => {
                const own = vary();
                return { ...request, ...own, headers: { ...headers, ...own.headers } };
              },
            }
          : {}),
      },
    ],
  });
  const class_name = `${Math.floor(status / 100)}xx` as '2xx' | '4xx';
  const wrong = result.requests.total - result[class_name];
  if (wrong > 0 || result.errors > 0 || result.timeouts > 0) {
    throw new Error(`${wrong} answers of ${url} were not ${status}, ${result.errors} failed`);
  }
  return result.requests.total / result.duration;
}

/** Starts the bare server that answers `fixture`; answers where it listens. */
export async function startBare(fixture: { read: unknown; posted: unknown }) {
  const path = fileURLToPath(new URL('bare-server.ts', import.meta.url));
  const child = startChild(process.execPath, [path, JSON.stringify(fixture)], {});
  const listening = new Promise<string>((resolve) => child.onLine(resolve));
  const port = await Promise.race([listening, child.exited.then(() => undefined)]);
  if (port === undefined) throw new Error(`the bare server ended: ${child.stderr.join('\n')}`);
  return {
    base: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
