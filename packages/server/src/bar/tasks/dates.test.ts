import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dates } from './dates.ts';
import { checkFamily, drawTasks, solverOf } from './testing/check-family.ts';

/** A calendar written down day by day from 1990 to 2040; 1 January 1990 was a Monday. */
const calendar: string[] = [];
for (let year = 1990; year <= 2040; year += 1) {
  const february = year % 4 === 0 ? 29 : 28;
  const lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  for (const [at, length] of lengths.entries()) {
    for (let day = 1; day <= length; day += 1) {
      calendar.push(`${year}-${`${at + 1}`.padStart(2, '0')}-${`${day}`.padStart(2, '0')}`);
    }
  }
}
const place_of = new Map(calendar.map((date, at) => [date, at]));
const week = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const short_months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Where a date in any of the three notations stands in the calendar. */
function placeOf(text: string): number {
  const named =
    /^(?<month>[A-Z][a-z]+) (?<day>\d+), (?<year>\d{4})$/.exec(text) ??
    /^(?<day>\d+) (?<month>[A-Z][a-z]+) (?<year>\d{4})$/.exec(text);
  const { year = '', month = '', day = '' } = named?.groups ?? {};
  const number = `${short_months.indexOf(month.slice(0, 3)) + 1}`.padStart(2, '0');
  const place = place_of.get(named ? `${year}-${number}-${day.padStart(2, '0')}` : text);
  assert.ok(place !== undefined, text);
  return place;
}

function move({ day = '', distance = '', way = '' }): number {
  return placeOf(day) + (way === 'after' ? 1 : -1) * Number(distance);
}
const weekday = (groups: Record<string, string>) => week[move(groups) % 7] ?? '';
const date = (groups: Record<string, string>) => calendar[move(groups)] ?? '';
const count = ({ from = '', to = '' }) => `${placeOf(to) - placeOf(from)}`;
const moved = '(?<distance>\\d+) days (?<way>after|before)';
const day = '(?<day>\\w[\\w, -]*?\\d{1,4})';

const solve = solverOf([
  {
    wording: 'what weekday',
    pattern: new RegExp(` on ${day}\\. What weekday was it ${moved} that\\?`),
    answer: weekday,
  },
  {
    wording: 'name the day',
    pattern: new RegExp(`^Name the day .* lies ${moved} ${day}, the date`),
    answer: weekday,
  },
  {
    wording: 'which date',
    pattern: new RegExp(` on ${day}\\. Which date is ${moved} that\\?`),
    answer: date,
  },
  {
    wording: 'counting from',
    pattern: new RegExp(`^Counting from ${day}, when .* find the date ${moved} it\\.`),
    answer: date,
  },
  {
    wording: 'how many days',
    pattern: /How many days after (?<from>.+) is (?<to>.+)\? Answer/,
    answer: count,
  },
  {
    wording: 'midnights',
    pattern: /from noon on (?<from>.+) to noon on (?<to>.+)\? Answer/,
    answer: count,
  },
]);

describe('dates', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(dates, solve);
  });

  it('asks for distances of 30 to 900 days and prints no weekday', () => {
    for (const { prompt, checking, answer } of drawTasks(dates, 'full')) {
      const distance = Number(/(\d+) days (?:after|before) /.exec(prompt)?.[1] ?? answer);
      assert.ok(distance >= 30 && distance <= 900, prompt);
      if (checking === 'text') assert.ok(!prompt.includes(answer), prompt);
    }
  });
});
