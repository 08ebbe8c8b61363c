/** A request to a service that the operator named. */
export type ServiceCall = {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly time_ms_max: number;
  readonly octets_max: number;
};

export type ServiceAnswer = { readonly status: number; readonly octets: Buffer };

/** The service gave no answer that could be read in time. */
export class ServiceUnavailableError extends Error {
  override name = 'ServiceUnavailableError';
}

/**
 * Asks a service whose URL stands in the configuration, and which may therefore stand anywhere, beside us
 * too. Never for a URL that somebody else has a say in: its address is not vetted. Redirects are answers
 * like others, time and size are bounded. Rejects with a `ServiceUnavailableError`, whose text has nothing
 * of the answer.
 */
export async function askService(call: ServiceCall): Promise<ServiceAnswer> {
  const { url, method = 'GET', headers = {}, body, time_ms_max, octets_max } = call;
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(time_ms_max),
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parts: Uint8Array[] = [];
    let octets = 0;
    for await (const part of response.body ?? []) {
      octets += part.length;
      if (octets > octets_max) throw new ServiceUnavailableError('the answer is too long');
      parts.push(part);
    }
    return { status: response.status, octets: Buffer.concat(parts) };
  } catch (error) {
    if (error instanceof ServiceUnavailableError) throw error;
    throw new ServiceUnavailableError(`there was no answer: ${(error as Error).name}`);
  }
}
