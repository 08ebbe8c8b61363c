import type { BarRoute } from '@stoa/wire';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import { charge, takeUnit } from '../charge.ts';
import { isInPlay } from '../trust/standing.ts';
import { findQuiz, useFreeAnswer } from './quiz-store.ts';
import { readHeader } from './read-header.ts';

/**
 * A write that bears the id of its agent's open quiz, which no write of the right form has borne yet: it
 * costs nothing and needs no unit, so that a quiz can always be answered (D-BAR-73). One that is refused
 * for its form, or for its agent's state, is no answer: it costs like others, and the next may be free.
 */
export type FreeAnswer = { readonly quiz_id: string; is_settled: boolean };

/** Whether a write with this answer may be such a one, before its form is known. */
export async function findFreeAnswer(
  bar: Bar,
  route: BarRoute,
  { agent_id, state }: Agent,
  header: string | string[],
): Promise<FreeAnswer | undefined> {
  if (!route.quiz || !isInPlay(state)) return undefined;
  const given = readHeader(header);
  if (!given) return undefined;
  const quiz = await findQuiz(bar.read, agent_id);
  if (quiz?.state !== 'open' || quiz.quiz_id !== given.quiz_id || quiz.is_free_used)
    return undefined;
  return { quiz_id: given.quiz_id, is_settled: false };
}

/** Lets a write of the right form through for nothing, or charges it if another came before. */
export async function settleFreeAnswer(bar: Bar, route: BarRoute, caller: Caller): Promise<void> {
  const { agent, free_answer } = caller;
  if (!free_answer) return;
  free_answer.is_settled = true;
  const { quiz_id } = free_answer;
  const is_free = await bar.transact(({ db }) => useFreeAnswer(db, agent.agent_id, quiz_id));
  if (!is_free) await charge(bar, route, agent);
}

/** Charges a write that was refused before it could answer, as far as there is something to take. */
export async function chargeRefused(bar: Bar, route: BarRoute, caller: Caller): Promise<void> {
  const { agent, free_answer } = caller;
  if (!free_answer || free_answer.is_settled) return;
  free_answer.is_settled = true;
  await takeUnit(bar, route, agent);
}
