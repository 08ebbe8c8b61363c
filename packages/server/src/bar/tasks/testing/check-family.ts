import assert from 'node:assert/strict';
import { isRightAnswer } from '../check-answer.ts';
import type { Checking, Size, Task, TaskFamily } from '../task.ts';
import { seededRandom } from './seeded-random.ts';

/** What a solver makes of a prompt, and by which of the wordings it knows it read it. */
export type Solved = { readonly answer: string; readonly wording: string };

const draws_count = 1000;

/** The first thousand tasks of a family, the same in every run. */
export function drawTasks(family: TaskFamily, size: Size): Task[] {
  const random = seededRandom(`${family.name} ${size}`);
  return Array.from({ length: draws_count }, () => family.make(random, size));
}

/**
 * Solves a thousand full and a thousand small tasks of a family from their prompts alone and expects the
 * answers of the generator, three wordings or more, a stated format and small prompts where they are due.
 */
export function checkFamily(family: TaskFamily, solve: (prompt: string) => Solved): void {
  for (const size of ['full', 'small'] as const) {
    checkTasks(family, size, (tasks) => tasks.map(({ prompt }) => solve(prompt)));
  }
}

/** As `checkFamily`, for one size and a solver that wants all prompts at once. */
export function checkTasks(
  family: TaskFamily,
  size: Size,
  solveAll: (tasks: readonly Task[]) => readonly Solved[],
): void {
  const tasks = drawTasks(family, size);
  const solutions = solveAll(tasks);
  const wordings = new Set<string>();
  for (const [at, task] of tasks.entries()) {
    const solved = solutions[at];
    assert.ok(solved);
    assert.equal(solved.answer, task.answer, task.prompt);
    assert.ok(isRightAnswer(task, solved.answer), task.prompt);
    checkForm(task);
    if (family.weight === 'light' && size === 'small') {
      assert.ok(task.prompt.length <= 700, `${task.prompt.length}: ${task.prompt}`);
    }
    wordings.add(solved.wording);
  }
  assert.ok(wordings.size >= 3, [...wordings].join());
  assert.equal(new Set(tasks.map(({ prompt }) => prompt)).size, tasks.length);
}

/** The words by which a prompt says what form its answer has. */
const stated: Record<Checking, RegExp> = {
  integer: /Answer with .*digits only\.$/,
  exact: /Answer with .*case matters\.$/,
  list: /Answer with .*separated by commas\.$/,
  text: /Answer (?:with|in) .*(?:lowercase|weekday|YYYY-MM-DD|exactly as (?:it stands|printed)).*\.$/,
};

function checkForm({ prompt, checking, answer }: Task): void {
  assert.match(prompt, stated[checking]);
  assert.match(prompt, /^[\n -~]*$/);
  assert.match(answer, /^(?!["'`])[ -~]{1,200}(?<!["'`.])$/);
  assert.equal(answer.trim(), answer);
}

/** A reader of one wording: the groups of its pattern, made into an answer. */
export type Reader = {
  readonly wording: string;
  readonly pattern: RegExp;
  answer(groups: Record<string, string>): string;
};

/** A solver that knows a prompt by the one pattern that fits it. */
export function solverOf(readers: readonly Reader[]): (prompt: string) => Solved {
  return (prompt) => {
    const fitting = readers.flatMap((reader) => {
      const match = reader.pattern.exec(prompt);
      return match ? [{ reader, groups: { ...match.groups } }] : [];
    });
    const [first] = fitting;
    assert.ok(first && fitting.length === 1, `${fitting.length} readings of: ${prompt}`);
    return { answer: first.reader.answer(first.groups), wording: first.reader.wording };
  };
}
