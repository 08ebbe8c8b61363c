import type { Random } from '../../random.ts';
import { plain_words } from './data/words.ts';
import { between, drawUntil, pick, sample } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Lists to be put in order by a rule whose tie-break is always stated. */
export const sorting: TaskFamily = { name: 'sorting', weight: 'light', make };

/** What is sorted, by what first and by what where that is equal: no two items are equal in both. */
type Rule = {
  readonly first: string;
  readonly ties: string;
  compare(one: string, other: string): number;
};

function make(random: Random, size: Size): Task {
  const count = between(random, 6, size === 'small' ? 7 : 9);
  return drawUntil(() => {
    const { items, rule } = pick(random, lists)(random, count);
    const answer = items.toSorted(rule.compare).join(', ');
    if (answer === items.join(', ')) return undefined;
    return { prompt: pick(random, wordings)(items.join(', '), rule), checking: 'list', answer };
  });
}

const format = 'Answer with all of them in order, separated by commas.';

const wordings: readonly ((list: string, rule: Rule) => string)[] = [
  (list, { first, ties }) => `Sort ${list} by ${first}; where that is equal, by ${ties}. ${format}`,
  (list, { first, ties }) =>
    `Put these in order, first by ${first}, then by ${ties}: ${list}. ${format}`,
  (list, { first, ties }) =>
    `A librarian of strange habits shelves by ${first}, and within equal ones by ${ties}. Shelve ${list}. ${format}`,
];

const lists: readonly ((random: Random, count: number) => { items: string[]; rule: Rule })[] = [
  (random, count) => ({
    items: sample(random, plain_words, count),
    rule: pick(random, [shortest_first, longest_first]),
  }),
  (random, count) => ({ items: sample(random, plain_words, count), rule: last_letter }),
  (random, count) => ({
    items: sample(random, plain_words, count),
    rule: letterCount(pick(random, ['a', 'e', 'l', 'o', 'r', 't'])),
  }),
  (random, count) => ({ items: drawNumbers(random, count), rule: digit_sum }),
  (random, count) => ({ items: drawNumbers(random, count), rule: last_digit }),
];

const shortest_first: Rule = {
  first: 'length, shortest first',
  ties: 'alphabet, a to z',
  compare: (one, other) => one.length - other.length || alphabet(one, other),
};
const longest_first: Rule = {
  first: 'length, longest first',
  ties: 'alphabet, z to a',
  compare: (one, other) => other.length - one.length || alphabet(other, one),
};
const last_letter: Rule = {
  first: 'last letter, a to z',
  ties: 'alphabet from the front, a to z',
  compare: (one, other) => alphabet(one.slice(-1), other.slice(-1)) || alphabet(one, other),
};
const digit_sum: Rule = {
  first: 'sum of the digits, smallest sum first',
  ties: 'value, largest first',
  compare: (one, other) => digitSum(one) - digitSum(other) || Number(other) - Number(one),
};
const last_digit: Rule = {
  first: 'last digit, largest first',
  ties: 'value, smallest first',
  compare: (one, other) =>
    Number(other.slice(-1)) - Number(one.slice(-1)) || Number(one) - Number(other),
};

function letterCount(letter: string): Rule {
  const count = (word: string) => word.split(letter).length - 1;
  return {
    first: `how often the letter "${letter}" stands in the word, most often first`,
    ties: 'alphabet, a to z',
    compare: (one, other) => count(other) - count(one) || alphabet(one, other),
  };
}

function alphabet(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function digitSum(number: string): number {
  return [...number].reduce((sum, digit) => sum + Number(digit), 0);
}

function drawNumbers(random: Random, count: number): string[] {
  return drawUntil(() => {
    const numbers = Array.from({ length: count }, () => `${between(random, 10, 9999)}`);
    return new Set(numbers).size === count ? numbers : undefined;
  });
}
