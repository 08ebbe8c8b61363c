import type { Random } from '../../random.ts';
import { pick, sample, shuffle } from './draw.ts';
import { families } from './families.ts';
import { reading } from './reading.ts';
import type { Task, TaskDraws } from './task.ts';

const admission_count = 8;
const renewal_count = 3;

const others = families.filter((family) => family !== reading);
const light = families.filter(({ weight }) => weight === 'light');

/** The tasks of an admission: a document to read and seven of the other families (D-BAR-25). */
export function drawAdmission(random: Random): Task[] {
  const drawn = [reading, ...sample(random, others, admission_count - 1)];
  return shuffle(random, drawn).map((family) => family.make(random, 'full'));
}

/** The tasks of a renewal: small ones of three different light families. */
export function drawRenewal(random: Random): Task[] {
  return sample(random, light, renewal_count).map((family) => family.make(random, 'small'));
}

/** A quiz: one small task of a light family. */
export function drawQuiz(random: Random): Task {
  return pick(random, light).make(random, 'small');
}

/** What the door asks in earnest. */
export const door_tasks: TaskDraws = {
  admission: drawAdmission,
  renewal: drawRenewal,
  quiz: drawQuiz,
};
