import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { caesar } from './caesar.ts';
import { checkFamily, drawTasks, solverOf } from './testing/check-family.ts';

/** Turns each letter and digit of a line by stepping through its ring, one place at a time. */
function step(message: string, steps: number): string {
  let text = message;
  for (let left = steps; left > 0; left -= 1) {
    text = text.replace(/[a-z0-9]/g, (sign) => {
      if (sign === 'z') return 'a';
      return sign === '9' ? '0' : String.fromCharCode(sign.charCodeAt(0) + 1);
    });
  }
  return text;
}

// 26 and 10 steps are whole turns of the rings, so 260 less the shift undoes it in both.
const decode = ({ shift = '', message = '' }) => step(message, 260 - Number(shift));
const encode = ({ shift = '', message = '' }) => step(message, Number(shift));
const message = '(?<message>[a-z0-9 ]+)';

const solve = solverOf([
  {
    wording: 'decode',
    pattern: new RegExp(`^Decode .* moved (?<shift>\\d+) places? forward.*\n${message}\nAnswer`),
    answer: decode,
  },
  {
    wording: 'note',
    pattern: new RegExp(`^A note .* (?<shift>\\d+) places? forward.*\n${message}\nWhat did it say`),
    answer: decode,
  },
  {
    wording: 'wire',
    pattern: new RegExp(`^This came.*\n${message}\nThe sender.* (?<shift>\\d+) places? forward`),
    answer: decode,
  },
  {
    wording: 'encode',
    pattern: new RegExp(`^Encode .* shift of (?<shift>\\d+):.*\n${message}\nAnswer`),
    answer: encode,
  },
  {
    wording: 'hide',
    pattern: new RegExp(`^Hide .* (?<shift>\\d+) places? forward.*\n${message}\nWhat do you`),
    answer: encode,
  },
]);

describe('caesar', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(caesar, solve);
  });

  it('never prints the answer', () => {
    for (const { prompt, answer } of drawTasks(caesar, 'full')) {
      assert.ok(!prompt.toLowerCase().includes(answer), prompt);
    }
  });
});
