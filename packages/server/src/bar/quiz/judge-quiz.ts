import type { BarRoute } from '@stoa/wire';
import { RefusalError } from '../../refusal.ts';
import type { Tx } from '../../storage/storage.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { ended_kept_seconds, quiz_deadline_seconds, quiz_percent } from '../limits.ts';
import { isRightAnswer } from '../tasks/check-answer.ts';
import { refuseByState } from '../trust/refuse-by-state.ts';
import { settleAnew, settleIn } from '../trust/settle.ts';
import { isInPlay } from '../trust/standing.ts';
import { poseQuiz } from './pose-quiz.ts';
import { quizRefusal } from './quiz-refusal.ts';
import { endQuiz, findQuiz, type Quiz } from './quiz-store.ts';
import { type QuizAnswer, readHeader } from './read-header.ts';

/** An agent as it is after its quiz was judged; without a refusal its write may go on. */
type Verdict = { readonly agent: Agent; readonly refusal?: RefusalError };

/**
 * Lets a write pass, or stops it with a quiz (protocol, section 15); answers the agent as it is then. What
 * this decides is committed before the write begins, which cannot undo it (D-BAR-71).
 */
export async function judgeQuiz(
  bar: Bar,
  route: BarRoute,
  agent: Agent,
  header: string | string[] | undefined,
): Promise<Agent> {
  if (!isInPlay(agent.state)) return agent;
  const given = readHeader(header);
  const is_drawn = given || mayHaveQuiz(bar, agent) ? undefined : isDrawn(bar, agent);
  if (is_drawn === false) return agent;
  const verdict = await bar.transact(async (tx): Promise<Verdict> => {
    const settled = (await settleIn(bar, tx, agent.agent_id)) ?? agent;
    if (!isInPlay(settled.state)) return { agent: settled };
    return given ? judgeAnswer(bar, tx, settled, given) : judgeSilence(bar, tx, settled, is_drawn);
  });
  if (verdict.refusal) throw verdict.refusal;
  refuseByState(route, verdict.agent.state);
  return verdict.agent;
}

function isDrawn(bar: Bar, { state }: Agent): boolean {
  return isInPlay(state) && bar.random.below(100) < quiz_percent[state];
}

/** False if there is surely no open quiz: an agent is settled at the end of the one it has, at the latest. */
function mayHaveQuiz(bar: Bar, { quiz_failures_in_a_row, settle_at }: Agent): boolean {
  if (quiz_failures_in_a_row > 0) return true;
  return settle_at !== null && settle_at <= bar.clock.now() + quiz_deadline_seconds * 1_000;
}

/**
 * A write without an answer: stopped by the open quiz, by a failure before, or by chance, which
 * `is_drawn` says if it has been asked.
 */
async function judgeSilence(
  bar: Bar,
  tx: Tx,
  agent: Agent,
  is_drawn: boolean | undefined,
): Promise<Verdict> {
  const quiz = await findQuiz(tx.db, agent.agent_id);
  if (quiz?.state === 'open') return stoppedBy(agent, quiz);
  // Letting quizzes lapse must not be cheaper than failing them (D-BAR-66).
  if (agent.quiz_failures_in_a_row > 0 || (is_drawn ?? isDrawn(bar, agent))) {
    return stoppedBy(agent, await poseQuiz(bar, tx, agent));
  }
  return { agent };
}

async function judgeAnswer(bar: Bar, tx: Tx, agent: Agent, given: QuizAnswer): Promise<Verdict> {
  const quiz = await findQuiz(tx.db, agent.agent_id);
  const is_meant = quiz?.quiz_id === given.quiz_id;
  if (quiz && is_meant && isRight(quiz, given.answer)) {
    await endQuiz(tx.db, agent.agent_id, 'spent');
    const passed = { quiz_failures_in_a_row: 0, quiz_passed: agent.quiz_passed + 1 };
    return { agent: await settleAnew(bar, tx, agent, passed) };
  }
  if (quiz && is_meant && isCountedLapse(bar, quiz)) {
    return stoppedBy(agent, await poseQuiz(bar, tx, agent));
  }
  const failed = await settleAnew(bar, tx, agent, {
    quiz_failures_in_a_row: agent.quiz_failures_in_a_row + 1,
    quiz_failed: agent.quiz_failed + 1,
  });
  if (!isInPlay(failed.state)) return { agent: failed, refusal: new RefusalError('quarantined') };
  return stoppedBy(failed, await poseQuiz(bar, tx, failed));
}

function isRight({ state, checking, answer }: Quiz, given: string): boolean {
  return state === 'open' && answer !== null && isRightAnswer({ checking, answer }, given);
}

/** Whether an answer comes too late to a quiz whose lapse has been counted: one quiz fails once. */
function isCountedLapse(bar: Bar, { state, expires_at }: Quiz): boolean {
  return state === 'lapsed' && bar.clock.now() < expires_at + ended_kept_seconds * 1_000;
}

function stoppedBy(agent: Agent, quiz: Quiz): Verdict {
  return { agent, refusal: quizRefusal(quiz, agent.quiz_failures_in_a_row) };
}
