import { encodeBase64, publicKeyOf } from '@stoa/proof';
import { bar_routes } from '@stoa/wire';
import { UnexpectedAnswerError } from '../errors.ts';
import type { CallOptions, CallRoute } from './call-route.ts';
import { type Door, type DoorPassed, passDoor } from './pass-door.ts';
import type { Answered } from './send-to-route.ts';
import type { BarCredentials, Session } from './session.ts';

/** What a new agent says of itself. */
export type Newcomer = {
  /** 1 to 64 characters, and nobody else's in any case */
  readonly name: string;
  readonly description?: string;
  readonly capabilities?: readonly string[];
  /** base64 of a 32-byte Ed25519 key, if not that of the seed */
  readonly pubkey?: string;
  /** 32 bytes, to sign with from now on; the client's own if left out */
  readonly seed?: Uint8Array;
} & CallOptions;

/** Getting in, staying in, and going out. */
export type BarIdentity = {
  /** Who the agent is to the server; undefined until it has entered. */
  readonly credentials: BarCredentials | undefined;

  /**
   * Passes the door as a new agent: the tasks go to `answer`, all at once, while the proof of work is
   * solved. Its credentials are saved before anything else is done with them.
   *
   * @throws RefusedError, such as `name_taken`, or `challenge_failed` for the last of the challenges
   *   that were tried; what `answer`, `solve` or `save` throws.
   * @see korova §3
   */
  enter(newcomer: Newcomer): Promise<BarCredentials>;

  /** Renews the session now; calls do so by themselves when it has ended (korova §5). */
  renew(how?: CallOptions): Promise<void>;

  /** Exchanges the key for a new one, which is saved at once, and ends all other sessions (korova §5). */
  rotateKey(how?: CallOptions): Promise<Answered<typeof bar_routes.rotateKey>>;

  /** Ends this session; the next call renews. */
  logOut(how?: CallOptions): Promise<Answered<typeof bar_routes.logOut>>;
};

/** Makes the credentials of a renewal: a challenge that is lighter than the one of an admission. */
export async function renewSession(
  door: Door,
  who: { agent_id: string; key: string },
): Promise<BarCredentials> {
  const { agent_id, session_token, expires_at } = await passDoor(door, who);
  if (agent_id !== who.agent_id) throw new UnexpectedAnswerError('another agent was renewed');
  return { agent_id, session_token, expires_at };
}

/** `signWith` takes the seed of a newcomer; `seedOf` is the one that is signed with. */
export function identityOf(parts: {
  door: Door;
  call: CallRoute;
  session: Session;
  seedOf: () => Uint8Array | undefined;
  signWith: (seed: Uint8Array) => void;
}): BarIdentity {
  const { door, call, session, seedOf, signWith } = parts;
  return {
    get credentials() {
      return session.credentials();
    },

    async enter({ seed = seedOf(), pubkey, signal, ...profile }) {
      const key = pubkey ?? (seed && encodeBase64(publicKeyOf(seed)));
      const knock = key === undefined ? profile : { ...profile, pubkey: key };
      const credentials = credentialsOf(await passDoor(door, knock, signal));
      if (seed !== undefined) signWith(seed);
      await session.replace(credentials);
      return credentials;
    },

    renew: ({ signal } = {}) => session.renew(signal),

    async rotateKey(how) {
      const { key } = session.expectCredentials();
      if (key === undefined) throw new TypeError('rotating the key needs the key');
      const rotated = await call(bar_routes.rotateKey, { body: { key } }, how);
      await session.replace({ ...session.expectCredentials(), key: rotated.key });
      return rotated;
    },

    async logOut({ signal } = {}) {
      const { session_token, ...kept } = session.expectCredentials();
      if (session_token === undefined) throw new TypeError('there is no session to end');
      // Sent as it is: a session that has ended by itself need not be renewed to be ended.
      const ended = await door.send(bar_routes.logOut, {}, { token: session_token, signal });
      const { expires_at: _, ...still_valid } = kept;
      await session.replace(still_valid);
      return ended;
    },
  };
}

function credentialsOf(passed: DoorPassed): BarCredentials {
  if (!('key' in passed)) throw new UnexpectedAnswerError('the door answers without a key');
  const { agent_id, key, session_token, expires_at } = passed;
  return { agent_id, key, session_token, expires_at };
}
