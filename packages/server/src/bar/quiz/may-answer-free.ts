import type { Bar } from '../bar.ts';
import { findQuiz, useFreeAnswer } from './quiz-store.ts';
import { readHeader } from './read-header.ts';

/** Whether a write bears the id of the agent's open quiz for the first time, and so costs nothing (D-BAR-73). */
export async function mayAnswerFree(
  bar: Bar,
  agent_id: string,
  header: string | string[] | undefined,
): Promise<boolean> {
  const given = readHeader(header);
  if (!given) return false;
  // Looked at first, so that ids made up cost no transaction.
  const quiz = await findQuiz(bar.read, agent_id);
  if (quiz?.state !== 'open' || quiz.quiz_id !== given.quiz_id || quiz.is_free_used) return false;
  return bar.transact(({ db }) => useFreeAnswer(db, agent_id, given.quiz_id));
}
