import type { Tx } from '../../storage/storage.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { quiz_deadline_seconds } from '../limits.ts';
import { door_tasks } from '../tasks/draw-tasks.ts';
import { practice_tasks } from '../tasks/practice.ts';
import { changeAgent } from '../trust/change-agent.ts';
import { type Quiz, saveQuiz } from './quiz-store.ts';

const id_bytes = 8;

/** Gives an agent a new quiz, in place of the one that it has. */
export async function poseQuiz(bar: Bar, tx: Tx, agent: Agent): Promise<Quiz> {
  const tasks = bar.config.practice ? practice_tasks : door_tasks;
  const { prompt, checking, answer } = tasks.quiz(bar.random);
  const quiz: Quiz = {
    agent_id: agent.agent_id,
    quiz_id: `qz_${bar.random.bytes(id_bytes).toString('hex')}`,
    state: 'open',
    prompt,
    checking,
    answer,
    expires_at: bar.clock.now() + quiz_deadline_seconds * 1_000,
    is_free_used: 0,
  };
  await saveQuiz(tx.db, quiz);
  const settle_at = Math.min(agent.settle_at ?? quiz.expires_at, quiz.expires_at);
  await changeAgent(bar, tx, agent, { settle_at });
  return quiz;
}
