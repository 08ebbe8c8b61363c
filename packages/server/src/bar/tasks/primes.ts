import type { Random } from '../../random.ts';
import { between, drawUntil, pick } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Counting, finding, multiplying and adding up primes below 20,000 or a little above. */
export const primes: TaskFamily = { name: 'primes', weight: 'light', make };

const number_max = 20_000;

type Question = { readonly text: string; readonly result: number };

function make(random: Random, size: Size): Task {
  const question = pick(random, questions)(random, size);
  // What is added keeps ten thousand challenges apart: below 20,000 there are too few bare questions.
  const added = between(random, 11, 99_999);
  return {
    prompt: `${question.text} Add ${added} to it. Answer with that sum, digits only.`,
    checking: 'integer',
    answer: `${question.result + added}`,
  };
}

const questions: readonly ((random: Random, size: Size) => Question)[] = [
  countBetween,
  nthAfter,
  productAbove,
  sumOfFactors,
];

function countBetween(random: Random, size: Size): Question {
  const width = between(random, 40, size === 'small' ? 400 : 2000);
  const from = between(random, 2, number_max - width);
  const to = from + width;
  const text = pick(random, [
    `How many primes lie between ${from} and ${to}, both ends included?`,
    `Count the prime numbers from ${from} to ${to}, with both of these counted if they are prime.`,
  ]);
  return { text, result: primesUpTo(to).filter((prime) => prime >= from).length };
}

function nthAfter(random: Random, size: Size): Question {
  const nth = between(random, 3, size === 'small' ? 9 : 40);
  const after = between(random, 100, 19_000);
  const text = pick(random, [
    `List the primes greater than ${after} in rising order: which one is number ${nth} of the list, the smallest being number 1?`,
    `Walk upwards from ${after + 1}, that number included, until you have met ${nth} primes. On which number do you stop?`,
  ]);
  return { text, result: primesAfter(after)[nth - 1] ?? Number.NaN };
}

function productAbove(random: Random, size: Size): Question {
  const above = between(random, 50, size === 'small' ? 5000 : 19_000);
  const text = pick(random, [
    `What is the product of the two smallest primes greater than ${above}?`,
    `Multiply the first prime above ${above} by the next prime after it.`,
  ]);
  const [first = Number.NaN, second = Number.NaN] = primesAfter(above);
  return { text, result: first * second };
}

function sumOfFactors(random: Random, size: Size): Question {
  const { number, factors } = drawUntil(() => {
    const drawn = between(random, 100, size === 'small' ? 5000 : number_max);
    const found = factorsOf(drawn);
    return found.length > 1 ? { number: drawn, factors: found } : undefined;
  });
  const text = pick(random, [
    `Add up the prime factors of ${number}, each as often as it divides ${number}.`,
    `Write ${number} as a product of primes, repeating a prime as often as needed. What is the sum of the primes you wrote?`,
  ]);
  return { text, result: factors.reduce((sum, factor) => sum + factor, 0) };
}

function factorsOf(number: number): number[] {
  const factors: number[] = [];
  let rest = number;
  for (let factor = 2; factor * factor <= rest; factor += 1) {
    while (rest % factor === 0) {
      factors.push(factor);
      rest /= factor;
    }
  }
  return rest > 1 ? [...factors, rest] : factors;
}

function primesUpTo(limit: number): number[] {
  return all_primes.filter((prime) => prime <= limit);
}

function primesAfter(number: number): number[] {
  return all_primes.filter((prime) => prime > number);
}

/** The sieve goes past 20,000, so that numbers just below it have primes to follow them. */
const all_primes = sieve(number_max + 1000);

function sieve(limit: number): number[] {
  const is_composite = new Uint8Array(limit + 1);
  const found: number[] = [];
  for (let number = 2; number <= limit; number += 1) {
    if (is_composite[number] === 1) continue;
    found.push(number);
    for (let multiple = number * number; multiple <= limit; multiple += number) {
      is_composite[multiple] = 1;
    }
  }
  return found;
}
