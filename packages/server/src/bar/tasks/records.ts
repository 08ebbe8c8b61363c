import type { Random } from '../../random.ts';
import { between, pick, shuffle } from './draw.ts';
import type { Size } from './task.ts';

/** A record of which two fields are asked about; `key` names it and `amount` can be added up. */
export type MessyRecord = {
  readonly key: string;
  readonly owner: string;
  readonly state: string;
  readonly amount: number;
};

/** Records of which `count` fit both conditions and the rest miss at least one, some only one. */
export type RecordSet = {
  readonly records: readonly MessyRecord[];
  readonly owner: string;
  readonly state: string;
  readonly hits: readonly MessyRecord[];
};

/** Twelve to twenty-five records about the given owners and states; the first of each is asked for. */
export function drawRecords(
  random: Random,
  given: {
    size: Size;
    hits: number;
    /** The owner asked for, one whose name is nearly the same, and others. */
    owners: readonly string[];
    states: readonly string[];
    key_letter: string;
    amount_max: number;
  },
): RecordSet {
  const { size, hits, owners, states, key_letter, amount_max } = given;
  const [owner = '', near_owner = '', ...other_owners] = owners;
  const [state = '', ...other_states] = states;
  const all_owners = [near_owner, ...other_owners];
  const pairs = [
    ...Array.from({ length: hits }, () => ({ owner, state })),
    { owner: near_owner, state },
    { owner: near_owner, state },
    { owner, state: pick(random, other_states) },
    { owner, state: pick(random, other_states) },
    { owner: pick(random, other_owners), state },
  ];
  const count = between(random, 12, size === 'small' ? 14 : 25);
  while (pairs.length < count) {
    pairs.push({ owner: pick(random, all_owners), state: pick(random, states) });
  }
  const first_key = between(random, 1000, 9000);
  const records = shuffle(random, pairs).map((pair, at) => ({
    ...pair,
    // Keys rise by uneven steps, so that none follows from its neighbours.
    key: `${key_letter}-${first_key + at * 31 + random.below(30)}`,
    amount: between(random, 3, amount_max),
  }));
  const found = records.filter((record) => record.owner === owner && record.state === state);
  return { records, owner, state, hits: found };
}

/** The lines with a line of noise here and there between them. */
export function scatterNoise(
  random: Random,
  lines: readonly string[],
  noise: readonly string[],
): string[] {
  return lines.flatMap((line) =>
    random.below(4) === 0 ? [noise[random.below(noise.length)] ?? '', line] : [line],
  );
}

/** The text with some of its single spaces doubled. */
export function doubleSpaces(random: Random, text: string): string {
  return text.replace(/ /g, () => (random.below(5) === 0 ? '  ' : ' '));
}
