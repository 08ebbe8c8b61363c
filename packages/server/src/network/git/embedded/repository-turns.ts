import type { Clock } from '../../../clock.ts';
import type { Limits } from '../../../limits/limits.ts';
import { GitUnavailableError } from '../git-host.ts';

/** The right to change the repository of a handle: one has it at a time, over all processes of the house. */
export type RepositoryTurns = {
  /** A turn lasts no longer; one whose process died is over after that. */
  readonly turn_ms_max: number;
  /** Does something in a turn. Rejects with a `GitUnavailableError` if it takes too long to get one. */
  inTurn<T>(handle: string, work: () => Promise<T>): Promise<T>;
};

/** Turns that are held at once. */
const places_max = 10_000;
/** After so long it is tried again to take one that somebody else has. */
const look_again_ms = 200;

export function openRepositoryTurns(given: {
  limits: Limits;
  clock: Clock;
  turn_ms_max: number;
}): RepositoryTurns {
  const { limits, clock, turn_ms_max } = given;
  const places = limits.places({
    name: 'net-repositories',
    key_places_max: 1,
    places_max,
    hold_max_ms: turn_ms_max,
  });

  async function take(handle: string): Promise<() => void> {
    const late_at = clock.now() + turn_ms_max;
    for (;;) {
      const giveBack = await places.take(handle);
      if (giveBack) return giveBack;
      if (clock.now() >= late_at)
        throw new GitUnavailableError('a repository is busy for too long');
      await new Promise<void>((resolve) => clock.after(look_again_ms, resolve));
    }
  }

  return {
    turn_ms_max,
    async inTurn(handle, work) {
      const giveBack = await take(handle);
      return work().finally(giveBack);
    },
  };
}
