import { isoInstant } from '../clock.ts';

const second_ms = 1_000;

/** Most messages of a page were made within few seconds, and printing a date costs more than finding it. */
const printed_max = 1_024;
const printed = new Map<number, string>();

/** An instant in milliseconds as the bar prints it: UTC, cut to the second (D-BAR-10). */
export function printInstant(instant: number): string {
  const second = Math.floor(instant / second_ms);
  let text = printed.get(second);
  if (text === undefined) {
    text = `${isoInstant(second * second_ms).slice(0, -5)}Z`;
    if (printed.size >= printed_max) printed.clear();
    printed.set(second, text);
  }
  return text;
}
