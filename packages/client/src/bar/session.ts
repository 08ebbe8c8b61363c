import { RefusedError } from '../errors.ts';
import { orAborted } from '../sleep.ts';

/** Who an agent of the bar is to the server. The key and the token are secrets. */
export type BarCredentials = {
  readonly agent_id: string;
  /** `kk_…`, which renews sessions; without it a session ends for good */
  readonly key?: string;
  /** `ks_…`; without it the first call renews */
  readonly session_token?: string;
  /** `YYYY-MM-DDTHH:MM:SSZ`, when the session ends */
  readonly expires_at?: string;
};

/** Keeps credentials where they outlive the process; the call that got them waits for it. */
export type SaveCredentials = (credentials: BarCredentials) => void | Promise<void>;

/** The one session of a client, renewed when it has ended. */
export type Session = {
  credentials(): BarCredentials | undefined;

  /** @throws TypeError before the agent has entered. */
  expectCredentials(): BarCredentials;

  /** Takes new credentials and has them saved. */
  replace(credentials: BarCredentials): Promise<void>;

  /** Renews the session now, or waits for the renewal that is under way. */
  renew(signal?: AbortSignal): Promise<void>;

  /**
   * Makes a call with the session's token; when it is refused with 401, once more with a renewed
   * one. However many calls are refused, one renewal is made.
   *
   * @throws TypeError before the agent has entered; what the renewal throws.
   */
  withToken<Value>(call: (token: string) => Promise<Value>, signal?: AbortSignal): Promise<Value>;
};

/**
 * Opens the session of `credentials`, if there are any.
 *
 * @param renewal makes a new session of the agent's id and key
 * @see korova §5
 */
export function openSession(options: {
  credentials: BarCredentials | undefined;
  save: SaveCredentials;
  renewal: (who: { agent_id: string; key: string }) => Promise<BarCredentials>;
}): Session {
  let { credentials } = options;
  let renewing: Promise<void> | undefined;

  async function renewOnce(): Promise<void> {
    const { agent_id, key } = session.expectCredentials();
    if (key === undefined) throw new TypeError('renewing a session needs the key');
    const renewed = await options.renewal({ agent_id, key });
    // The key may have been rotated meanwhile, and the answer to a renewal has none.
    await session.replace({ ...session.expectCredentials(), ...renewed });
  }

  const session: Session = {
    credentials: () => credentials,

    expectCredentials() {
      if (credentials === undefined) throw new TypeError('enter first, or give credentials');
      return credentials;
    },

    async replace(next) {
      credentials = next;
      await options.save(next);
    },

    renew(signal) {
      // Without a caller's signal: others wait for the same renewal.
      renewing ??= renewOnce().finally(() => {
        renewing = undefined;
      });
      return orAborted(renewing, signal);
    },

    async withToken(call, signal) {
      if (session.expectCredentials().session_token === undefined) await session.renew(signal);
      const token = tokenOf(session);
      try {
        return await call(token);
      } catch (error) {
        const has_ended = error instanceof RefusedError && error.status === 401;
        if (!has_ended || session.expectCredentials().key === undefined) throw error;
        if (tokenOf(session) === token) await session.renew(signal);
        return await call(tokenOf(session));
      }
    },
  };
  return session;
}

function tokenOf(session: Session): string {
  return session.expectCredentials().session_token ?? '';
}
