import type { Task } from './task.ts';

/**
 * Whether `given` is the right answer: lenient about what wraps it, strict about what it says
 * (D-BAR-28). The length of `given` does not matter, so neither does who sent it.
 */
export function isRightAnswer(task: Pick<Task, 'checking' | 'answer'>, given: string): boolean {
  const { checking, answer } = task;
  switch (checking) {
    case 'exact':
      return unwrap(given) === unwrap(answer);
    case 'text':
      return plainText(given) === plainText(answer);
    case 'list':
      return isSameList(listItems(given), listItems(answer));
    case 'integer': {
      const number = wholeNumber(given);
      return number !== undefined && number === wholeNumber(answer);
    }
  }
}

const pairs = ['""', "''", '``', '\u201c\u201d', '\u2018\u2019'];

/**
 * The text without the quotes around it and without one final full stop, in whatever order they stand.
 * `mayOpen` says whether the quotes around `inside` may go.
 */
function unwrap(text: string, mayOpen = (_pair: string, _inside: string) => true): string {
  let bare = text.trim();
  let has_stopped = false;
  for (;;) {
    const inside = bare.slice(1, -1);
    const pair = bare.length < 2 ? '' : `${bare.at(0)}${bare.at(-1)}`;
    if (pairs.includes(pair) && mayOpen(pair, inside)) {
      bare = inside.trim();
    } else if (!has_stopped && bare.endsWith('.')) {
      bare = bare.slice(0, -1).trim();
      has_stopped = true;
    } else {
      return bare;
    }
  }
}

function plainText(text: string): string {
  return unwrap(text).toLowerCase().replace(/\s+/g, ' ');
}

/** Quotes around single items are not quotes around the list: `"a", "b"` keeps them until it is split. */
function listItems(text: string): string[] {
  const isAroundAll = (pair: string, inside: string) =>
    ![...pair].some((quote) => inside.includes(quote));
  return unwrap(text, isAroundAll).split(',').map(plainText);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

const space = '[ \\u00a0\\u2009\\u202f]';
const separator = `(?:[,_'\\u2019]|${space})`;
const grouped_digits = `\\d{1,3}(?<separator>${separator})\\d{3}(?:\\k<separator>\\d{3})*`;
const unit = `${space}?[/²³]*\\p{L}[\\p{L}/²³]*`;
const whole_number = new RegExp(
  `^(?<sign>[+-]?)(?<digits>${grouped_digits}|\\d+)(?:${unit})?$`,
  'u',
);

/** The number as its shortest decimal text, which compares numbers of any size; a unit is dropped. */
function wholeNumber(text: string): string | undefined {
  const { sign, digits } = whole_number.exec(unwrap(text))?.groups ?? {};
  if (digits === undefined) return undefined;
  const shortest = digits.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  return sign === '-' && shortest !== '0' ? `-${shortest}` : shortest;
}
