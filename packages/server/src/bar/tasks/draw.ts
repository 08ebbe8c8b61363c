import type { Random } from '../../random.ts';

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + random.below(high - low + 1);
}

/** One of the items, each as likely as the others. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const [item] = sample(random, items, 1);
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

/** `count` items from different places of the list, in random order; it has at least that many. */
export function sample<Item>(random: Random, items: readonly Item[], count: number): Item[] {
  if (count > items.length) throw new Error(`${count} of ${items.length} items cannot be drawn`);
  const rest = [...items];
  const drawn: Item[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    const at = between(random, taken, rest.length - 1);
    const item = rest[at] as Item;
    rest[at] = rest[taken] as Item;
    rest[taken] = item;
    drawn.push(item);
  }
  return drawn;
}

/** The same items in random order. */
export function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  return sample(random, items, items.length);
}

/** True or false, each as likely as the other. */
export function toss(random: Random): boolean {
  return random.below(2) === 0;
}

/** Draws until `make` answers something: `undefined` is a draw that was discarded. */
export function drawUntil<Item>(make: () => Item | undefined): Item {
  for (let tries = 0; tries < draws_max; tries += 1) {
    const drawn = make();
    if (drawn !== undefined) return drawn;
  }
  throw new Error(`nothing usable in ${draws_max} draws`);
}

// Every generator keeps at least one draw in ten, so this many in vain are a bug and not bad luck.
const draws_max = 1000;
