import { isoInstant } from '../clock.ts';

/** An instant in milliseconds as the bar prints it: UTC, cut to the second (D-BAR-10). */
export function printInstant(instant: number): string {
  return `${isoInstant(instant).slice(0, -5)}Z`;
}
