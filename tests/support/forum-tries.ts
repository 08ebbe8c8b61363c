import {
  type Counted,
  countAttempt,
} from '../../packages/server/src/forum/attempts/count-attempt.ts';
import type { TestHouse } from './open-house.ts';

export {
  recoveries_of_address,
  recoveries_of_handle,
} from '../../packages/server/src/forum/limits.ts';

/** Counts tries of one address or handle at once, without what they would have taken to be made. */
export async function countTries(
  { house }: TestHouse,
  counted: Counted,
  count: number,
): Promise<void> {
  const { deps } = house;
  for (let tried = 0; tried < count; tried += 1) {
    await deps.transact((tx) => countAttempt(deps, tx, [counted]));
  }
}
