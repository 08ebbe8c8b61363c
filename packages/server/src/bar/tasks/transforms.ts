import type { Random } from '../../random.ts';
import { between, drawUntil, pick, sample } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** A string that goes through several steps; its final case matters. */
export const transforms: TaskFamily = { name: 'transforms', weight: 'light', make };

type Step = { readonly text: string; apply(text: string): string };

const format = 'Answer with the final string alone; case matters.';

const wordings: readonly ((start: string, steps: string) => string)[] = [
  (start, steps) =>
    `Apply these steps to the string ${start}, in order, each to the result of the one before:\n${steps}\n${format}`,
  (start, steps) =>
    `A machine takes in ${start} and does the following, one step after the other:\n${steps}\nWhat comes out? ${format}`,
  (start, steps) =>
    `Start with ${start}. Do all of this in the given order:\n${steps}\nWhat stands there at the end? ${format}`,
];

function make(random: Random, size: Size): Task {
  const is_small = size === 'small';
  return drawUntil(() => {
    const length = between(random, 8, is_small ? 10 : 14);
    const start = Array.from({ length }, () => pick(random, characters)).join('');
    const count = between(random, 4, is_small ? 4 : 6);
    const steps = sample(random, makers, count).map((make) => make(random));
    const results = [start];
    for (const step of steps) results.push(step.apply(results.at(-1) ?? ''));
    // A step that changes nothing or brings an earlier string back would hide a slip; short ones move oddly.
    const is_lively = results.every((text, at) => text.length >= 5 && results.indexOf(text) === at);
    if (!is_lively) return undefined;
    const list = steps.map(({ text }, at) => `${at + 1}. ${text}`).join('\n');
    return {
      prompt: pick(random, wordings)(start, list),
      checking: 'exact',
      answer: results.at(-1) ?? '',
    };
  });
}

/** No l, o, 0 and 1, which are hard to tell apart. */
const characters = [...'abcdefghijkmnpqrstuvwxyz', ...'23456789'];

const makers: readonly ((random: Random) => Step)[] = [
  () => ({ text: 'Reverse the string.', apply: (text) => [...text].reverse().join('') }),
  () => ({
    text: 'Swap the first half with the second half (with an odd length the middle character keeps its place).',
    apply(text) {
      const half = Math.floor(text.length / 2);
      return text.slice(-half) + text.slice(half, text.length - half) + text.slice(0, half);
    },
  }),
  () => ({
    text: 'Remove every vowel (a, e, i, o, u, in either case).',
    apply: (text) => text.replace(/[aeiou]/gi, ''),
  }),
  () => ({
    text: 'Write every third character twice (the 3rd, the 6th, the 9th and so on).',
    apply: (text) => text.replace(/(..)(.)/g, '$1$2$2'),
  }),
  (random) => {
    const shift = between(random, 1, 9);
    return {
      text: `Move each letter ${shift} ${shift === 1 ? 'place' : 'places'} forward in the alphabet (after z comes a; case is kept, digits stay).`,
      apply: (text) => text.replace(/[a-z]/gi, (letter) => shiftLetter(letter, shift)),
    };
  },
  () => ({
    text: 'Put the letters at odd positions (1st, 3rd, 5th and so on) into upper case; leave the rest as they are.',
    apply: (text) =>
      [...text].map((sign, at) => (at % 2 === 0 ? sign.toUpperCase() : sign)).join(''),
  }),
  (random) => {
    const count = between(random, 1, 4);
    const what = count === 1 ? 'first character' : `first ${count} characters`;
    return {
      text: `Move the ${what} to the end, in the same order.`,
      apply: (text) => text.slice(count) + text.slice(0, count),
    };
  },
];

function shiftLetter(letter: string, shift: number): string {
  const base = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - base + shift) % 26) + base);
}
