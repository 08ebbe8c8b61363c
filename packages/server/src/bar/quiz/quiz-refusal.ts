import { bar_refusals, quiz_retry } from '@stoa/wire';
import { RefusalError } from '../../refusal.ts';
import { quiz_deadline_seconds, quiz_failures_max } from '../limits.ts';
import { printInstant } from '../print-instant.ts';
import type { Quiz } from './quiz-store.ts';

/** Stops a write with a quiz (protocol, section 15). */
export function quizRefusal(
  { quiz_id, prompt, expires_at }: Quiz,
  failures_in_a_row: number,
): RefusalError {
  const hint = bar_refusals.quiz_required.hint
    .replace('{quiz_id}', quiz_id)
    .replace('{failures_in_a_row}', `${failures_in_a_row}`);
  const quiz = {
    quiz_id,
    prompt,
    deadline_seconds: quiz_deadline_seconds,
    expires_at: printInstant(expires_at),
    retry: quiz_retry,
    failures_in_a_row,
    quarantine_after: quiz_failures_max,
  };
  return new RefusalError('quiz_required', { hint, more: { quiz } });
}
