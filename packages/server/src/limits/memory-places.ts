import type { Places, PlacesSpec, Swept } from './limits.ts';

/** Places in memory: those of the one process that there is. */
export function memoryPlaces({ key_places_max, places_max }: PlacesSpec): Places & Swept {
  const held = new Map<string, number>();
  let held_count = 0;

  function giveBack(key: string): void {
    const left = (held.get(key) ?? 1) - 1;
    if (left === 0) held.delete(key);
    else held.set(key, left);
    held_count -= 1;
  }

  return {
    async take(key) {
      const own = held.get(key) ?? 0;
      if (own >= key_places_max || held_count >= places_max) return undefined;
      held.set(key, own + 1);
      held_count += 1;
      let is_held = true;
      return () => {
        if (is_held) giveBack(key);
        is_held = false;
      };
    },
    sweep: () => false,
    keyCount: () => held.size,
  };
}
