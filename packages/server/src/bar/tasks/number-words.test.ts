import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { number_words } from './number-words.ts';
import { checkFamily, drawTasks, solverOf } from './testing/check-family.ts';

const values = new Map(
  Object.entries({ zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 }),
);
for (const [
  at,
  word,
] of 'eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
  .split(' ')
  .entries()) {
  values.set(word, at + 8);
}
for (const [word, value] of Object.entries({
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
})) {
  values.set(word, value);
}

function readNumber(words: string): bigint {
  let total = 0;
  let below = 0;
  for (const word of words.split(/[ -]/)) {
    if (word === 'thousand') {
      total += below * 1000;
      below = 0;
    } else if (word === 'hundred') {
      below *= 100;
    } else {
      const value = values.get(word);
      assert.ok(value !== undefined, word);
      below += value;
    }
  }
  return BigInt(total + below);
}

/** A running total over `+ words`, `- words` and `* words`. */
function run(first: string, steps: readonly string[]): string {
  let total = readNumber(first);
  for (const step of steps) {
    const number = readNumber(step.slice(2));
    if (step.startsWith('+')) total += number;
    else if (step.startsWith('-')) total -= number;
    else total *= number;
    assert.ok(total >= 0n);
  }
  return `${total}`;
}

const number = '[a-z -]+?';

const solve = solverOf([
  {
    wording: 'sum',
    pattern: new RegExp(
      `^(?:Work out|Compute|What is the value of) (?<sum>${number})\\. Multiplication comes before`,
    ),
    answer({ sum = '' }) {
      // Split at the weakest signs first: every product is then a term of its own.
      const terms = sum.split(/ (?=plus |minus )/);
      let total = 0n;
      for (const term of terms) {
        const factors = term.replace(/^(plus|minus) /, '').split(' times ');
        const product = factors.map(readNumber).reduce((one, other) => one * other);
        total += term.startsWith('minus ') ? -product : product;
      }
      return `${total}`;
    },
  },
  {
    wording: 'ledger',
    pattern: new RegExp(
      `aloud, and each step is applied to the total so far: start with (?<first>${number}); (?<steps>[a-z; -]+)\\. What is`,
    ),
    answer: ({ first = '', steps = '' }) =>
      run(
        first,
        steps.split('; ').map((one) =>
          one
            .replace(/^add/, '+')
            .replace(/^take away/, '-')
            .replace(/^multiply by/, '*'),
        ),
      ),
  },
  {
    wording: 'stock',
    pattern: new RegExp(
      `^A cellar holds (?<first>${number}) [a-z]+\\. One after the other, (?<steps>[a-z, -]+)\\. How many`,
    ),
    answer: ({ first = '', steps = '' }) =>
      run(
        first,
        steps.split(', then ').map((one) =>
          one
            .replace(/^(.*) are brought in$/, '+ $1')
            .replace(/^(.*) are carried out$/, '- $1')
            .replace(/^the whole stock is multiplied by (.*)$/, '* $1'),
        ),
      ),
  },
]);

describe('number_words', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(number_words, solve);
  });

  it('multiplies at most once, and prints no digit', () => {
    for (const { prompt } of drawTasks(number_words, 'full')) {
      assert.ok(prompt.split(/ times | multiply by | multiplied by /).length <= 2, prompt);
      assert.doesNotMatch(prompt, /\d/);
    }
  });
});
