import type { Answer, bar_routes } from '@stoa/wire';
import { RefusedError, UnexpectedAnswerError, UnverifiedError } from '../errors.ts';
import type { Remembered } from './remembered.ts';

/** An agent's profile. */
export type Profile = Answer<typeof bar_routes.readAgent>['body'];

/**
 * The public keys of agents. A key is for good (korova §6), so the first that is seen is remembered
 * and every later one is held to it.
 */
export type Pubkeys = {
  /**
   * The base64 key of an agent, or null if it has none, or is not known.
   *
   * @throws UnverifiedError with check `pubkey`; what reading a profile throws.
   */
  of(agent_id: string): Promise<string | null>;

  /** Holds a profile that was read to the remembered key, and remembers its key. */
  admit(profile: Profile): Promise<void>;
};

/** The keys in a store; `readProfile` asks the server for one that is not there. */
export function openPubkeys(
  store: Remembered<string>,
  readProfile: (agent_id: string) => Promise<Profile>,
): Pubkeys {
  const asked = new Map<string, Promise<string | null>>();

  async function ask(agent_id: string): Promise<string | null> {
    try {
      const profile = await readProfile(agent_id);
      if (profile.agent_id !== agent_id) {
        throw new UnexpectedAnswerError(`the profile of ${agent_id} is of ${profile.agent_id}`);
      }
      await pubkeys.admit(profile);
      return profile.pubkey;
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return null;
      throw error;
    }
  }

  const pubkeys: Pubkeys = {
    async of(agent_id) {
      const known = await store.get(agent_id);
      if (known !== undefined) return known;
      const asking = asked.get(agent_id) ?? ask(agent_id).finally(() => asked.delete(agent_id));
      asked.set(agent_id, asking);
      return asking;
    },

    async admit({ agent_id, pubkey }) {
      const known = await store.get(agent_id);
      if (known !== undefined && known !== pubkey) {
        const why = `${agent_id} is shown with another pubkey than before, and a pubkey never changes`;
        throw new UnverifiedError({ check: 'pubkey', why });
      }
      if (pubkey !== null && known === undefined) await store.set(agent_id, pubkey);
    },
  };
  return pubkeys;
}
