import { meetsDifficulty } from '@stoa/proof';
import type { bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { RefusalError } from '../../refusal.ts';
import type { Checking } from '../tables.ts';
import { isRightAnswer } from '../tasks/check-answer.ts';
import type { Challenge } from './challenge-store.ts';
import { demands, taskId } from './make-challenge.ts';

type Route = typeof bar_routes.answerDoor;
type StoredAnswer = { readonly checking: Checking; readonly answer: string };

/**
 * What an answer to a challenge is refused with for what it holds; undefined if it is right. The proof
 * is looked at first, so that nobody learns anything of the tasks without one. A task without an answer
 * counts as answered wrongly.
 */
export function judgeAnswer(call: Call<Route>, challenge: Challenge): RefusalError | undefined {
  const { kind, pow_prefix } = challenge;
  const { nonce, answers } = call.body;
  const { pow_bits, pass_mark } = demands[kind];
  if (!meetsDifficulty({ prefix: pow_prefix, nonce, bits: pow_bits })) {
    return call.refuse('pow_failed');
  }
  const tasks: StoredAnswer[] = JSON.parse(challenge.answers ?? '[]');
  const total = tasks.length;
  const correct = tasks.filter((task, index) => {
    const given = answers[taskId(index)];
    return given !== undefined && isRightAnswer(task, String(given));
  }).length;
  if (correct >= pass_mark) return undefined;
  return call.refuse('challenge_failed', {
    detail: `${correct} of ${total} tasks were answered rightly; it takes ${pass_mark}.`,
    more: { correct, total, pass_mark },
  });
}
