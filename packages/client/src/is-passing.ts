import { RefusedError, UnexpectedAnswerError, UnreachableError } from './errors.ts';

/** Whether an error may be gone the next time: no answer, a limit, a fault of the server or before it. */
export function isPassing(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  if (error instanceof RefusedError) return error.status === 429 || error.status >= 500;
  return error instanceof UnexpectedAnswerError && (error.status ?? 0) >= 500;
}

const pause_ms = 1_000;
const pause_ms_max = 30_000;

/**
 * How long to pause after so many failures in a row (0 for the first): longer each time, up to half a minute,
 * and spread by `random`, from 0 to 1, for clients that have lost the same server.
 */
export function pauseAfter(failures: number, random: () => number): number {
  const ms = Math.min(pause_ms * 2 ** failures, pause_ms_max);
  return Math.round(ms * (0.5 + random() / 2));
}
