import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { categories } from './data/categories.ts';
import { odd_one_out } from './odd-one-out.ts';
import type { Task } from './task.ts';
import { checkTasks, type Solved } from './testing/check-family.ts';
import { seededRandom } from './testing/seeded-random.ts';

const wordings = {
  'out of place': /^One of these is out of place: (?<words>.+)\. Which\?/,
  'the sixth': /name the sixth\. (?<words>[a-z |]+) Answer/,
  listed: /in this list\?\n(?<words>[a-z\n]+)\nAnswer/,
  slate: /only five of them: (?<words>.+)\. Which one/,
};

function wordsOf({ prompt }: Task): { words: string[]; wording: string } {
  for (const [wording, pattern] of Object.entries(wordings)) {
    const words = pattern.exec(prompt)?.groups?.words?.match(/[a-z]+/g);
    if (words) return { words, wording };
  }
  return assert.fail(prompt);
}

const pairsOf = (words: readonly string[]) =>
  words.flatMap((one) => words.filter((other) => other > one).map((other) => `${one} ${other}`));

/** How often two words were seen together in ten thousand prompts, none of them among those to solve. */
const company = new Map<string, number>();
const random = seededRandom('what a reader of many prompts has learned');
for (let draw = 0; draw < 10_000; draw += 1) {
  for (const pair of pairsOf(wordsOf(odd_one_out.make(random, 'full')).words)) {
    company.set(pair, (company.get(pair) ?? 0) + 1);
  }
}

/**
 * Knows no word. Five of six are often seen together elsewhere, and the odd one hardly ever with any of
 * them: that is how a reader learns kinds, and it needs no list of them.
 */
function solve(task: Task): Solved {
  const { words, wording } = wordsOf(task);
  const seen = (word: string) =>
    pairsOf(words)
      .filter((pair) => pair.split(' ').includes(word))
      .reduce((sum, pair) => sum + (company.get(pair) ?? 0), 0);
  const [answer = '', next = ''] = words.toSorted((one, other) => seen(one) - seen(other));
  assert.ok(seen(next) > 5 * seen(answer), 'the odd word stands apart');
  return { answer, wording };
}

describe('odd_one_out', () => {
  it('agrees with a solver that has nothing but the prompts [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkTasks(odd_one_out, 'full', (tasks) => tasks.map(solve));
    checkTasks(odd_one_out, 'small', (tasks) => tasks.map(solve));
  });

  it('has 24 categories of 12 words or more, and no word twice', () => {
    assert.equal(categories.length, 24);
    for (const { name, words } of categories) assert.ok(words.length >= 12, name);
    const words = categories.flatMap((category) => category.words);
    assert.deepEqual(
      words.filter((word, at) => words.indexOf(word) !== at),
      [],
    );
    for (const word of words) assert.match(word, /^[a-z]+$/);
  });
});
