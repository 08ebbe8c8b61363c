import type { Random } from '../../random.ts';
import { given_names } from './data/names.ts';
import { between, drawUntil, pick } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Weekdays, dates and distances in the Gregorian calendar. */
export const dates: TaskFamily = { name: 'dates', weight: 'light', make };

const day_ms = 86_400_000;
const first_day = Date.UTC(1990, 0, 1) / day_ms;
const last_day = Date.UTC(2040, 11, 31) / day_ms;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const weekday_format = 'Answer with the English name of the weekday.';
const date_format = 'Answer with the date as YYYY-MM-DD.';
const count_format = 'Answer with the number of days, digits only.';

/** What a wording is made of: an event on `day`, and another day `distance` days `way` of it. */
type Parts = {
  readonly event: string;
  readonly day: string;
  readonly other_day: string;
  readonly distance: number;
  readonly way: 'after' | 'before';
};

const weekday_wordings: readonly ((parts: Parts) => string)[] = [
  ({ event, day, distance, way }) =>
    `${event} on ${day}. What weekday was it ${distance} days ${way} that? ${weekday_format}`,
  ({ event, day, distance, way }) =>
    `Name the day of the week that lies ${distance} days ${way} ${day}, the date on which ${event}. ${weekday_format}`,
];

const date_wordings: readonly ((parts: Parts) => string)[] = [
  ({ event, day, distance, way }) =>
    `${event} on ${day}. Which date is ${distance} days ${way} that? ${date_format}`,
  ({ event, day, distance, way }) =>
    `Counting from ${day}, when ${event}, find the date ${distance} days ${way} it. ${date_format}`,
];

const count_wordings: readonly ((parts: Parts) => string)[] = [
  ({ event, day, other_day, way }) => {
    const [from, to] = way === 'after' ? [day, other_day] : [other_day, day];
    return `${event} on ${day}. How many days after ${from} is ${to}? ${count_format}`;
  },
  ({ event, day, other_day, way }) => {
    const [from, to] = way === 'after' ? [day, other_day] : [other_day, day];
    return `The clock strikes midnight once between one day and the next. ${event} on ${day}. How often does it strike midnight from noon on ${from} to noon on ${to}? Answer with the number, digits only.`;
  },
];

const deeds = [
  'sealed a cask',
  'signed the guest list',
  'rented the upper room',
  'bought a piano',
  'mended the roof',
  'lost a wager',
  'found a silver key',
  'sold a grey horse',
  'planted a walnut tree',
  'left for the coast',
  'came back from the islands',
  'opened a workshop',
  'wrote to the harbour office',
  'paid for the new bell',
  'borrowed a ladder',
  'won the chess evening',
  'hung up a painting',
  'tuned the old organ',
  'caught a large sturgeon',
  'baked for the whole street',
];
const places = ['at home', 'in the old town', 'by the river', 'next door', 'at the market'];

function make(random: Random, size: Size): Task {
  return drawUntil(() => {
    const distance = between(random, 30, size === 'small' ? 400 : 900);
    const way = pick(random, ['after', 'before'] as const);
    const day = between(random, first_day, last_day);
    const other_day = way === 'after' ? day + distance : day - distance;
    if (other_day < first_day || other_day > last_day) return undefined;
    const write = pick(random, notations);
    const parts: Parts = {
      event: `${pick(random, given_names)} ${pick(random, deeds)} ${pick(random, places)}`,
      day: write(day),
      other_day: write(other_day),
      distance,
      way,
    };
    return pick(random, questions)(random, parts, other_day);
  });
}

const questions: readonly ((random: Random, parts: Parts, other_day: number) => Task)[] = [
  (random, parts, other_day) => ({
    prompt: pick(random, weekday_wordings)(parts),
    checking: 'text',
    answer: weekdays[dateOf(other_day).getUTCDay()] ?? '',
  }),
  (random, parts, other_day) => ({
    prompt: pick(random, date_wordings)(parts),
    checking: 'text',
    answer: isoDate(other_day),
  }),
  (random, parts) => ({
    prompt: pick(random, count_wordings)(parts),
    checking: 'integer',
    answer: `${parts.distance}`,
  }),
];

const notations: readonly ((day: number) => string)[] = [
  isoDate,
  (day) => {
    const date = dateOf(day);
    return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
  },
  (day) => {
    const date = dateOf(day);
    return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  },
];

function dateOf(day: number): Date {
  return new Date(day * day_ms);
}

function isoDate(day: number): string {
  return dateOf(day).toISOString().slice(0, 10);
}
