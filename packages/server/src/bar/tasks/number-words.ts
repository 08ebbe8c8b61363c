import type { Random } from '../../random.ts';
import { between, drawUntil, pick } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Sums whose numbers are written out in English words. */
export const number_words: TaskFamily = { name: 'number-words', weight: 'light', make };

type Step = { readonly sign: '+' | '-' | '*'; readonly number: number };

const format = 'Answer with the number, digits only.';

const wordings: readonly ((random: Random, first: number, steps: readonly Step[]) => Task)[] = [
  (random, first, steps) => {
    const opening = pick(random, ['Work out', 'Compute', 'What is the value of']);
    const terms = steps.map(({ sign, number }) => `${spoken[sign]} ${inWords(number)}`);
    return {
      prompt: `${opening} ${inWords(first)} ${terms.join(' ')}. Multiplication comes before addition and subtraction. ${format}`,
      checking: 'integer',
      answer: `${byPrecedence(first, steps)}`,
    };
  },
  (random, first, steps) => {
    const reader = pick(random, ['A ledger is read aloud', 'The barman counts aloud']);
    const lines = steps.map(({ sign, number }) => `${commanded[sign]} ${inWords(number)}`);
    return {
      prompt: `${reader}, and each step is applied to the total so far: start with ${inWords(first)}; ${lines.join('; ')}. What is the total at the end? ${format}`,
      checking: 'integer',
      answer: `${inOrder(first, steps)}`,
    };
  },
  (random, first, steps) => {
    const goods = pick(random, ['bottles', 'corks', 'cups', 'lemons', 'sacks', 'tins']);
    const events = steps.map(({ sign, number }) => happened[sign](inWords(number)));
    return {
      prompt: `A cellar holds ${inWords(first)} ${goods}. One after the other, ${events.join(', then ')}. How many ${goods} are left? ${format}`,
      checking: 'integer',
      answer: `${inOrder(first, steps)}`,
    };
  },
];

const spoken = { '+': 'plus', '-': 'minus', '*': 'times' };
const commanded = { '+': 'add', '-': 'take away', '*': 'multiply by' };
const happened = {
  '+': (number: string) => `${number} are brought in`,
  '-': (number: string) => `${number} are carried out`,
  '*': (number: string) => `the whole stock is multiplied by ${number}`,
};

function make(random: Random, size: Size): Task {
  const is_small = size === 'small';
  return drawUntil(() => {
    const count = is_small ? 3 : between(random, 3, 5);
    const number_max = is_small ? 4999 : 9999;
    const times_at = random.below(count);
    const steps = Array.from({ length: count - 1 }, (_, at): Step => {
      const sign = at === times_at ? '*' : pick(random, ['+', '-'] as const);
      return { sign, number: between(random, 2, sign === '*' ? 99 : number_max) };
    });
    const first = between(random, 2, number_max);
    // A stock below nothing, or a minus sign in one of its many spellings, would be a trap.
    const is_negative = steps.some((_, at) => inOrder(first, steps.slice(0, at + 1)) < 0);
    if (is_negative || byPrecedence(first, steps) < 0) return undefined;
    return pick(random, wordings)(random, first, steps);
  });
}

function inOrder(first: number, steps: readonly Step[]): number {
  return steps.reduce((total, { sign, number }) => {
    if (sign === '*') return total * number;
    return sign === '+' ? total + number : total - number;
  }, first);
}

function byPrecedence(first: number, steps: readonly Step[]): number {
  const terms = [first];
  for (const { sign, number } of steps) {
    if (sign === '*') terms.push((terms.pop() ?? 0) * number);
    else terms.push(sign === '+' ? number : -number);
  }
  return terms.reduce((total, term) => total + term, 0);
}

const small_numbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** A number below 10,000 as it is spoken: `two thousand forty-one`. */
function inWords(number: number): string {
  if (number < 20) return small_numbers[number] ?? '';
  const [size, name] =
    number < 100 ? [10, ''] : number < 1000 ? [100, ' hundred'] : [1000, ' thousand'];
  const head = Math.floor(number / size);
  const rest = number % size;
  if (size === 10) return `${tens[head - 2]}${rest === 0 ? '' : `-${inWords(rest)}`}`;
  return `${inWords(head)}${name}${rest === 0 ? '' : ` ${inWords(rest)}`}`;
}
