import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sorting } from './sorting.ts';
import { checkFamily, drawTasks, solverOf } from './testing/check-family.ts';

/** What a stated rule looks at in an item: a number, or a text of equal length for all. */
function keyOf(rule: string, item: string): string {
  const padded = (number: number) => `${number}`.padStart(8, '0');
  if (rule.startsWith('length')) return padded(item.length);
  if (rule.startsWith('last letter')) return item.charAt(item.length - 1);
  if (rule.startsWith('alphabet')) return item;
  if (rule.startsWith('sum of the digits'))
    return padded(
      item
        .split('')
        .map(Number)
        .reduce((sum, digit) => sum + digit),
    );
  if (rule.startsWith('value')) return padded(Number(item));
  if (rule.startsWith('last digit')) return padded(Number(item) % 10);
  const letter = /^how often the letter "([a-z])"/.exec(rule)?.[1];
  assert.ok(letter, rule);
  return padded([...item].filter((sign) => sign === letter).length);
}

const isFalling = (rule: string) =>
  /(z to a|longest first|largest first|most often first)$/.test(rule);

/** Sorts by taking out, again and again, whatever no other item comes before. */
function order({ list = '', first = '', ties = '' }): string {
  const left = list.split(', ');
  const sorted: string[] = [];
  const isBefore = (one: string, other: string) => {
    for (const rule of [first, ties]) {
      const [key, other_key] = [keyOf(rule, one), keyOf(rule, other)];
      if (key !== other_key) return key < other_key !== isFalling(rule);
    }
    return assert.fail(`${one} and ${other} are equal in both`);
  };
  while (left.length > 0) {
    const next = left.find((one) => left.every((other) => one === other || isBefore(one, other)));
    assert.ok(next !== undefined);
    left.splice(left.indexOf(next), 1);
    sorted.push(next);
  }
  return sorted.join(', ');
}

const solve = solverOf([
  {
    wording: 'sort',
    pattern: /^Sort (?<list>.+?) by (?<first>.+); where that is equal, by (?<ties>.+)\. Answer/,
    answer: order,
  },
  {
    wording: 'put in order',
    pattern:
      /^Put these in order, first by (?<first>.+), then by (?<ties>.+): (?<list>.+)\. Answer/,
    answer: order,
  },
  {
    wording: 'librarian',
    pattern:
      /^A librarian .* shelves by (?<first>.+), and within equal ones by (?<ties>.+)\. Shelve (?<list>.+)\. Answer/,
    answer: order,
  },
]);

describe('sorting', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(sorting, solve);
  });

  it('does not print the list in its final order, and repeats no item', () => {
    for (const { prompt, answer } of drawTasks(sorting, 'full')) {
      assert.ok(!prompt.includes(answer), prompt);
      const items = answer.split(', ');
      assert.equal(new Set(items).size, items.length);
      assert.ok(items.length >= 6 && items.length <= 9);
    }
  });
});
