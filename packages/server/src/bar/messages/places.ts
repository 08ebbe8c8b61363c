import type { Deps } from '../../deps.ts';
import { agent_waits_max } from '../limits.ts';

/** Places for reads that are held: so many for an agent, over all its sessions, and for the house. */
export type Places = {
  /** Takes a place for `agent_id`; answers what gives it back, or undefined if there is none. */
  take(agent_id: string): (() => void) | undefined;
  count(): number;
};

/** The places of this process. */
export function openPlaces({ config }: Deps): Places {
  const house_max =
    (config.rooms.bar?.settings as { long_polls: number } | undefined)?.long_polls ?? 0;
  const taken = new Map<string, number>();
  let count = 0;
  return {
    take(agent_id) {
      const own = taken.get(agent_id) ?? 0;
      if (own >= agent_waits_max || count >= house_max) return undefined;
      taken.set(agent_id, own + 1);
      count += 1;
      let is_given_back = false;
      return () => {
        if (is_given_back) return;
        is_given_back = true;
        count -= 1;
        const left = (taken.get(agent_id) ?? 1) - 1;
        if (left === 0) taken.delete(agent_id);
        else taken.set(agent_id, left);
      };
    },
    count: () => count,
  };
}
