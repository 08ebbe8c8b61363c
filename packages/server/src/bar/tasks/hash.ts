import { sha256Hex } from '@stoa/proof';
import type { Random } from '../../random.ts';
import { plain_words } from './data/words.ts';
import { between, pick, sample, toss } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** A string to be built by a recipe, and the SHA-256 of it. */
export const hash: TaskFamily = { name: 'hash', weight: 'light', make };

/** What the recipe says, up to the question, and the string that comes of it. */
type Recipe = { readonly text: string; readonly result: string };

const encoding = 'Hash its UTF-8 bytes without quotes, spaces or a line end.';
const joiners = ['-', ':', '/', '_', '+', '=', '#'];

function make(random: Random, size: Size): Task {
  const { text, result } = pick(random, recipes)(random, size);
  const digest = sha256Hex(result);
  if (size === 'full' && toss(random)) {
    const prompt = `${text}What is the sha256 of the string? ${encoding} Answer with all 64 hex digits, lowercase.`;
    return { prompt, checking: 'text', answer: digest };
  }
  const digits = between(random, 8, 16);
  const prompt = `${text}What are the first ${digits} hex digits of the sha256 of the string? ${encoding} Answer with these ${digits} digits, lowercase.`;
  return { prompt, checking: 'text', answer: digest.slice(0, digits) };
}

const recipes: readonly ((random: Random, size: Size) => Recipe)[] = [
  buildInSteps,
  joinParts,
  repeatWithCounter,
];

function buildInSteps(random: Random, size: Size): Recipe {
  const [start = '', ...rest] = drawParts(random, size);
  const lines = [`start with "${start}"`];
  let result = start;
  for (const part of rest) {
    const step = pick(random, steps)(part, result);
    lines.push(step.text);
    result = step.result;
  }
  const times = between(random, 2, 4);
  lines.push(`repeat the whole string so that it stands there ${times} times`);
  const numbered = lines.map((line, at) => `${at + 1}. ${line}`);
  const opening = pick(random, ['Build a string', 'Put a string together']);
  return {
    text: `${opening} step by step:\n${numbered.join('\n')}\n`,
    result: result.repeat(times),
  };
}

const steps: readonly ((part: string, so_far: string) => Recipe)[] = [
  (part, so_far) => ({ text: `append "${part}"`, result: so_far + part }),
  (part, so_far) => ({ text: `put "${part}" in front`, result: part + so_far }),
  (part, so_far) => ({
    text: `reverse the string, then append "${part}"`,
    result: reverse(so_far) + part,
  }),
  (part, so_far) => ({
    text: `append "${part}", then turn all letters into upper case`,
    result: (so_far + part).toUpperCase(),
  }),
];

function joinParts(random: Random, size: Size): Recipe {
  const parts = drawParts(random, size).map((part) => pick(random, changes)(part, random));
  const joiner = pick(random, joiners);
  const list = parts.map(({ text }) => text).join('; ');
  const opening = pick(random, ['Take these parts', 'Here are the parts of a string']);
  return {
    text: `${opening}: ${list}. Join them in this order with "${joiner}" between them. `,
    result: parts.map(({ result }) => result).join(joiner),
  };
}

const changes: readonly ((part: string, random: Random) => Recipe)[] = [
  (part) => ({ text: `"${part}" as it is`, result: part }),
  (part) => ({ text: `"${part}" reversed`, result: reverse(part) }),
  (part) => ({ text: `"${part}" in upper case`, result: part.toUpperCase() }),
  (part, random) => {
    const times = between(random, 2, 5);
    return { text: `"${part}" ${times} times in a row`, result: part.repeat(times) };
  },
];

function repeatWithCounter(random: Random, size: Size): Recipe {
  const [first = '', second = ''] = drawParts(random, size);
  const joiner = pick(random, joiners);
  const times = between(random, 3, size === 'small' ? 6 : 12);
  const copies = Array.from({ length: times }, (_, at) => `${first}${at + 1}`);
  const opening = pick(random, ['Write', 'Put down']);
  return {
    text: `${opening} "${first}" ${times} times, each copy followed directly by its number (1 for the first, 2 for the second and so on), with "${joiner}" between the numbered copies. Then append "${second}". `,
    result: copies.join(joiner) + second,
  };
}

/** Two to four short strings of letters and digits. */
function drawParts(random: Random, size: Size): string[] {
  const words = sample(random, plain_words, between(random, 2, size === 'small' ? 3 : 4));
  return words.map((word) => (toss(random) ? word : `${word}${between(random, 10, 999)}`));
}

function reverse(text: string): string {
  return [...text].reverse().join('');
}
