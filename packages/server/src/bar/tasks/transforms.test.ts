import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkFamily, drawTasks, solverOf } from './testing/check-family.ts';
import { transforms } from './transforms.ts';

/** Does what one line says, on a list of characters. */
function follow(line: string, signs: readonly string[]): string[] {
  const number = Number(/\d+/.exec(line)?.[0] ?? 1);
  if (line.startsWith('Reverse')) return signs.toReversed();
  if (line.startsWith('Swap')) {
    const middle = signs.length / 2;
    const left = signs.slice(0, Math.floor(middle));
    const right = signs.slice(Math.ceil(middle));
    const rest = signs.length % 2 === 1 ? [signs[Math.floor(middle)] ?? ''] : [];
    return [...right, ...rest, ...left];
  }
  if (line.startsWith('Remove every vowel')) {
    return signs.filter((sign) => !['a', 'e', 'i', 'o', 'u'].includes(sign.toLowerCase()));
  }
  if (line.startsWith('Write every third character twice')) {
    return signs.flatMap((sign, at) => ((at + 1) % 3 === 0 ? [sign, sign] : [sign]));
  }
  if (line.startsWith('Move each letter')) {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    const rings = [alphabet + alphabet, (alphabet + alphabet).toUpperCase()];
    return signs.map((sign) => {
      const ring = rings.find((one) => one.includes(sign));
      return ring === undefined ? sign : ring.charAt(ring.indexOf(sign) + number);
    });
  }
  if (line.startsWith('Put the letters at odd positions')) {
    return signs.map((sign, at) =>
      [1, 3, 5, 7, 9].includes((at + 1) % 10) ? sign.toUpperCase() : sign,
    );
  }
  assert.match(line, /^Move the first (character|\d characters) to the end/);
  return [...signs.slice(number), ...signs.slice(0, number)];
}

function followAll({ start = '', steps = '' }): string {
  let signs = [...start];
  for (const line of steps.split('\n')) signs = follow(line.replace(/^\d\. /, ''), signs);
  return signs.join('');
}

const steps = '(?<steps>(?:\\d\\. .*\n?)+?)';
const solve = solverOf([
  {
    wording: 'apply',
    pattern: new RegExp(`^Apply these steps to the string (?<start>\\w+), .*\n${steps}\nAnswer`),
    answer: followAll,
  },
  {
    wording: 'machine',
    pattern: new RegExp(`^A machine takes in (?<start>\\w+) and .*\n${steps}\nWhat comes out`),
    answer: followAll,
  },
  {
    wording: 'start',
    pattern: new RegExp(`^Start with (?<start>\\w+)\\. .*\n${steps}\nWhat stands`),
    answer: followAll,
  },
]);

describe('transforms', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(transforms, solve);
  });

  it('never prints the string that comes out', () => {
    for (const { prompt, answer } of drawTasks(transforms, 'full')) {
      assert.ok(!prompt.includes(answer), prompt);
    }
  });
});
