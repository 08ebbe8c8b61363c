/**
 * What is wrong with a date's form, or `undefined`; whether it is today is for a clock to say. The
 * words follow the field's name: `date ${complaint}`.
 *
 * @see guestbook §Post, BOOK-040
 */
export function dateComplaint(date: string): string | undefined {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) {
    return 'is not of the form YYYY-MM-DD';
  }
  return day >= 1 && day <= daysOf(year, month) ? undefined : 'is no day of the calendar';
}

function daysOf(year: number, month: number): number {
  const is_leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
