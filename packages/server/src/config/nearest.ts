import { shown_length_max } from './setting-words.ts';

/** The one of `candidates` that `given` may have meant; undefined if none is near. */
function nearest(given: string, candidates: readonly string[]): string | undefined {
  const lastName = (key: string) => key.slice(key.lastIndexOf('.') + 1);
  const distances = candidates.map((candidate) => ({
    candidate,
    distance: Math.min(
      editDistance(given, candidate),
      // The right name in the wrong table, which is farther than a slip in the right one.
      editDistance(lastName(given), lastName(candidate)) + 1,
    ),
  }));
  const best = distances.sort((a, b) => a.distance - b.distance)[0];
  const distance_max = Math.max(2, Math.floor(given.length / 3));
  return best && best.distance <= distance_max ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const swap = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** `a.b.c` with the tables it is in: `a`, `a.b`, `a.b.c`. */
export const withTables = (key: string) =>
  key.split('.').map((_, index, names) => names.slice(0, index + 1).join('.'));

export const didYouMean = (given: string, candidates: readonly string[]) => {
  const meant = nearest(given.slice(0, shown_length_max), candidates);
  return meant ? `; did you mean ${meant}?` : '';
};
