import type { Random } from '../../random.ts';
import { pick } from './draw.ts';
import { functions } from './python-functions.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** A short Python function, to be run or traced. */
export const code_tracing: TaskFamily = { name: 'code-tracing', weight: 'light', make };

const wordings: readonly ((code: string, call: string, format: string) => string)[] = [
  (code, call, format) => `What does ${call} return?\n${fenced(code)}\n${format}`,
  (code, call, format) =>
    `This is Python 3:\n${fenced(`${code}\n\nprint(${call})`)}\nWhat is printed? ${format}`,
  (code, call, format) =>
    `Trace the function below for ${call} and give its last value, the one it returns.\n${fenced(code)}\n${format}`,
];

function make(random: Random, size: Size): Task {
  const { code, call, result } = pick(random, functions)(random, size);
  const is_number = typeof result === 'number';
  const format = is_number
    ? 'Answer with the number, digits only.'
    : 'Answer with the string in lowercase, without quotes.';
  const prompt = pick(random, wordings)(code, call, format);
  return { prompt, checking: is_number ? 'integer' : 'text', answer: `${result}` };
}

function fenced(code: string): string {
  return `\`\`\`python\n${code}\n\`\`\``;
}
