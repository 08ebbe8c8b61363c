import { BoundedMap } from './bounded-map.ts';

/** Longer keys are not remembered: clients choose them. */
const key_length_max = 256;

/**
 * Answers what `make` has made of a key, for the `entries_max` keys that came last; `make` answers the same for the
 * same key, always. What it throws is not remembered.
 */
export function memo<Value>(
  entries_max: number,
  make: (key: string) => Value,
): (key: string) => Value {
  const made = new BoundedMap<Value>(entries_max);
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    if (key.length > key_length_max) return value;
    made.set(key, value);
    return value;
  };
}
