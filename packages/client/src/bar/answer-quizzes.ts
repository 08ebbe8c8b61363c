import { RefusedError } from '../errors.ts';
import { orAborted } from '../sleep.ts';
import type { AnswerPrompt } from './answer-prompt.ts';
import { openTurnstile } from './turnstile.ts';

// A third failure in a row is quarantine; one more, because a streak may begin with a lapsed quiz.
const quizzes_per_call_max = 4;
const answered_kept = 256;

/** Sends a write, with `<quiz_id>:<answer>` in its header if there is one. */
type SendWrite<Value> = (quiz: string | undefined) => Promise<Value>;

/** Makes writes, and answers the quizzes that come in between. */
export type QuizAnswerer = <Value>(
  send: SendWrite<Value>,
  signal: AbortSignal | undefined,
) => Promise<Value>;

/**
 * Answers pop quizzes: the same write again, with the answer in its header.
 *
 * One quiz is answered at a time, for the server gives all writes the same one and counts a second
 * answer to it as a failure; writes that wait meanwhile are then sent without an answer. A wrong
 * answer brings a fresh quiz, which is tried too, since a quiz that is left alone is a failure as well.
 *
 * @throws the RefusedError `quiz_required` after four quizzes, `quarantined` after the third failure;
 *   what `answer` throws.
 * @see korova §15 (D-BAR-66 to D-BAR-71)
 */
export function quizAnswerer(answer: AnswerPrompt): QuizAnswerer {
  const inTurn = openTurnstile();
  const answered = new Set<string>();

  function markAnswered(quiz_id: string): void {
    answered.add(quiz_id);
    for (const oldest of answered) {
      if (answered.size <= answered_kept) break;
      answered.delete(oldest);
    }
  }

  async function settle<Value>(
    first: RefusedError,
    send: SendWrite<Value>,
    signal: AbortSignal | undefined,
  ): Promise<Value> {
    signal?.throwIfAborted();
    let refusal = first;
    let quiz = quizOf(refusal);
    if (quiz !== undefined && answered.has(quiz.quiz_id)) {
      const outcome = await attempt(() => send(undefined));
      if ('value' in outcome) return outcome.value;
      refusal = outcome.refusal;
      quiz = quizOf(refusal);
    }
    for (let tried = 0; tried < quizzes_per_call_max; tried += 1) {
      if (quiz === undefined) throw refusal;
      const text = await ask(answer, quiz, signal);
      markAnswered(quiz.quiz_id);
      const { quiz_id } = quiz;
      const outcome = await attempt(() => send(`${quiz_id}:${text}`));
      if ('value' in outcome) return outcome.value;
      refusal = outcome.refusal;
      quiz = quizOf(refusal);
    }
    throw refusal;
  }

  return async (send, signal) => {
    const outcome = await attempt(() => send(undefined));
    if ('value' in outcome) return outcome.value;
    return orAborted(
      inTurn('quiz', () => settle(outcome.refusal, send, signal)),
      signal,
    );
  };
}

/** The value, or the refusal `quiz_required`; anything else is thrown. */
async function attempt<Value>(
  call: () => Promise<Value>,
): Promise<{ value: Value } | { refusal: RefusedError }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof RefusedError && error.status === 428) return { refusal: error };
    throw error;
  }
}

type OpenQuiz = { quiz_id: string; prompt: string; deadline_seconds: number };

/** The quiz of a refusal; `undefined` if it has none that can be answered. */
function quizOf(refusal: RefusedError): OpenQuiz | undefined {
  const quiz: { [name: string]: unknown } = Object(refusal.more.quiz);
  const { quiz_id, prompt, deadline_seconds } = quiz;
  if (typeof quiz_id !== 'string' || typeof prompt !== 'string') return undefined;
  if (!/^[!-9;-~]+$/.test(quiz_id)) return undefined;
  const seconds = typeof deadline_seconds === 'number' ? deadline_seconds : 45;
  return { quiz_id, prompt, deadline_seconds: seconds };
}

async function ask(
  answer: AnswerPrompt,
  { prompt, deadline_seconds }: OpenQuiz,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const text = await answer(prompt, { kind: 'quiz', deadline_seconds, signal });
  // Right answers are printable ASCII (D-BAR-26): what a header cannot carry is no part of one.
  return String(text)
    .replace(/\s+/g, ' ')
    .replace(/[^ -~]/g, '')
    .trim();
}
