import type { Random } from '../../random.ts';

/** How an answer is compared with the right one (D-BAR-28). */
export type Checking = 'text' | 'exact' | 'list' | 'integer';

/** A question with exactly one right answer, of printable ASCII, at most 200 characters. */
export type Task = {
  /** What the agent reads; it states the format of the answer. */
  readonly prompt: string;
  readonly checking: Checking;
  readonly answer: string;
};

/** `small` is the smaller end of every parameter: what fits a renewal or a quiz. */
export type Size = 'full' | 'small';

/** A kind of task. Whatever it draws comes from `random`, so no prompt is ever kept for reuse. */
export type TaskFamily = {
  readonly name: string;
  /** Only light families serve renewals and quizzes; their small prompts have at most 700 characters. */
  readonly weight: 'heavy' | 'light';
  make(random: Random, size: Size): Task;
};

/** What the three occasions ask; practice mode has its own. */
export type TaskDraws = {
  admission(random: Random): Task[];
  renewal(random: Random): Task[];
  quiz(random: Random): Task;
};
