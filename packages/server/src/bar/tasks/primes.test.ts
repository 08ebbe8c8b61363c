import { describe, it } from 'node:test';
import { primes } from './primes.ts';
import { checkFamily, type Reader, solverOf } from './testing/check-family.ts';

/** By trial division, remembered. */
const known = new Map<number, boolean>();
function isPrime(number: number): boolean {
  const answer = known.get(number) ?? !hasDivisor(number);
  known.set(number, answer);
  return answer;
}
function hasDivisor(number: number): boolean {
  if (number < 2) return true;
  for (let divisor = 2; divisor <= Math.sqrt(number); divisor += 1) {
    if (number % divisor === 0) return true;
  }
  return false;
}

function* primesFrom(start: number): Generator<number> {
  for (let number = start; ; number += 1) if (isPrime(number)) yield number;
}
const following = (start: number, count: number) => primesFrom(start).take(count).toArray();

function count({ from = '', to = '' }): number {
  let found = 0;
  for (let number = Number(from); number <= Number(to); number += 1)
    found += isPrime(number) ? 1 : 0;
  return found;
}
function product({ above = '' }): number {
  const [first = 0, second = 0] = following(Number(above) + 1, 2);
  return first * second;
}
function factorSum({ number = '' }): number {
  const whole = Number(number);
  const [factor = 0] = primesFrom(2)
    .filter((prime) => whole % prime === 0)
    .take(1);
  return factor === whole ? whole : factor + factorSum({ number: `${whole / factor}` });
}

const added = ' Add (?<added>\\d+) to it\\. Answer with that sum, digits only\\.$';
const reader = (
  wording: string,
  pattern: string,
  result: (groups: Record<string, string>) => number,
): Reader => ({
  wording,
  pattern: new RegExp(pattern + added),
  answer: (groups) => `${result(groups) + Number(groups.added)}`,
});

const solve = solverOf([
  reader(
    'between',
    '^How many primes lie between (?<from>\\d+) and (?<to>\\d+), both ends included\\?',
    count,
  ),
  reader(
    'from to',
    '^Count the prime numbers from (?<from>\\d+) to (?<to>\\d+), with both.*\\.',
    count,
  ),
  reader(
    'listed',
    '^List the primes greater than (?<after>\\d+) in rising order: which one is number (?<nth>\\d+) of .*\\?',
    ({ after, nth }) => following(Number(after) + 1, Number(nth)).at(-1) ?? 0,
  ),
  reader(
    'walk',
    '^Walk upwards from (?<start>\\d+), that number included, until you have met (?<nth>\\d+) primes\\..*\\?',
    ({ start, nth }) => following(Number(start), Number(nth)).at(-1) ?? 0,
  ),
  reader(
    'product',
    '^What is the product of the two smallest primes greater than (?<above>\\d+)\\?',
    product,
  ),
  reader(
    'multiply',
    '^Multiply the first prime above (?<above>\\d+) by the next prime after it\\.',
    product,
  ),
  reader(
    'factors',
    '^Add up the prime factors of (?<number>\\d+), each as often as it divides \\d+\\.',
    factorSum,
  ),
  reader(
    'as a product',
    '^Write (?<number>\\d+) as a product of primes, repeating.*\\?',
    factorSum,
  ),
]);

describe('primes', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-049]', () => {
    checkFamily(primes, solve);
  });
});
