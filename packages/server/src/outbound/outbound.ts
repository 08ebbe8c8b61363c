import { isIP } from 'node:net';
import { Client } from 'undici';
import { isPublicAddress } from './is-public-address.ts';
import type { Target } from './read-target.ts';
import { openResolver } from './resolve-name.ts';

/** All addresses of a name, as the network says now. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export type Delivery = {
  readonly target: Target;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For looking up, connecting, sending and the head of the answer together. */
  readonly time_ms_max: number;
};

/** Nothing answered, or nothing may: `reason` says which, for our own log and not for who gave the URL. */
export class UndeliveredError extends Error {
  override name = 'UndeliveredError';
  readonly reason: 'refused' | 'unresolved' | 'unreachable';

  constructor(reason: UndeliveredError['reason'], options?: ErrorOptions) {
    super(`not delivered: ${reason}`, options);
    this.reason = reason;
  }
}

/** Calls to addresses that others gave us. */
export type Outbound = {
  /**
   * Posts `body` once and answers the status; nothing of the answer's body is read. The name is looked up
   * anew, every address it has must be of the open internet, and the connection goes to one of those
   * addresses, whatever the name means by then; `Host` and TLS keep the name. Redirects are answers like
   * others. Rejects with an `UndeliveredError`.
   *
   * @see agent-network section 4, "SSRF rules"
   */
  post(delivery: Delivery): Promise<number>;
  /**
   * Whether a target may be called as far as can be told now: every address of its name is of the open
   * internet. True as well when names cannot be looked up at the moment, for `post` looks anew.
   */
  mayCall(target: Target, time_ms_max: number): Promise<boolean>;
};

/** What looking a name up says when there is no answer now, and may be one later. */
const try_again_codes: readonly unknown[] = ['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED', 'EAI_AGAIN'];

/** Whether a target could not be vetted for a reason that says nothing against it. */
function isNotKnownYet({ reason, cause }: UndeliveredError): boolean {
  if (reason === 'unreachable') return true;
  const { code } = (cause ?? {}) as { code?: unknown };
  return reason === 'unresolved' && try_again_codes.includes(code);
}

/** The addresses that a target may be called at; rejects if one that it has may not. */
async function vettedAddresses(
  { url, host }: Target,
  resolve: Resolve,
  is_allowed: (address: string) => boolean,
): Promise<readonly string[]> {
  // Reading a target let nothing but practice mode pass without TLS.
  if (url.protocol === 'http:') return [host];
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch((cause) => {
          throw new UndeliveredError('unresolved', { cause });
        })
      : [host];
  if (addresses.length === 0) throw new UndeliveredError('unresolved');
  if (!addresses.every(is_allowed)) throw new UndeliveredError('refused');
  return addresses;
}

/** Settles as `promise` does, or rejects when `signal` is given. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      const abort = () => reject(new UndeliveredError('unreachable', { cause: signal.reason }));
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
    }),
  ]);
}

/**
 * Opens what calls others. Tests give their own names and certificate authority, and decide which
 * addresses count as of the open internet.
 */
export function openOutbound(
  options: { resolve?: Resolve; ca?: string; is_allowed?: (address: string) => boolean } = {},
): Outbound {
  const { resolve = openResolver(), ca, is_allowed = isPublicAddress } = options;
  return {
    async mayCall(target, time_ms_max) {
      const signal = AbortSignal.timeout(time_ms_max);
      try {
        await orAborted(vettedAddresses(target, resolve, is_allowed), signal);
        return true;
      } catch (error) {
        if (error instanceof UndeliveredError) return isNotKnownYet(error);
        throw error;
      }
    },
    async post({ target, headers, body, time_ms_max }) {
      const signal = AbortSignal.timeout(time_ms_max);
      const { url, host } = target;
      const addresses = await orAborted(vettedAddresses(target, resolve, is_allowed), signal);
      const [address = ''] = addresses;
      const client = new Client(url.origin, {
        connect: {
          // Whatever is asked for, the address that was vetted is what is connected to.
          lookup: (_name, { all }, found) =>
            all
              ? found(null, [{ address, family: isIP(address) }])
              : found(null, address, isIP(address)),
          timeout: time_ms_max,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined ? {} : { ca }),
        },
        headersTimeout: time_ms_max,
        bodyTimeout: time_ms_max,
        pipelining: 1,
      });
      try {
        const path = url.pathname + url.search;
        const answer = await client.request({ method: 'POST', path, headers, body, signal });
        answer.body.on('error', () => {});
        return answer.statusCode;
      } catch (cause) {
        throw new UndeliveredError('unreachable', { cause });
      } finally {
        client.destroy().catch(() => {});
      }
    },
  };
}
