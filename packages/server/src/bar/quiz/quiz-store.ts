import type { Kysely, Selectable } from 'kysely';
import type { BarTables } from '../tables.ts';

type BarDb = Kysely<BarTables>;
export type Quiz = Selectable<BarTables['bar_quiz']>;

/** The latest quiz of an agent, open or over. */
export async function findQuiz(db: BarDb, agent_id: string): Promise<Quiz | undefined> {
  return db.selectFrom('bar_quiz').selectAll().where('agent_id', '=', agent_id).executeTakeFirst();
}

/** Gives an agent a quiz in place of the one it had. */
export async function saveQuiz(db: BarDb, quiz: Quiz): Promise<void> {
  const { agent_id: _, ...replaced } = quiz;
  await db
    .insertInto('bar_quiz')
    .values(quiz)
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(replaced))
    .execute();
}

/** Ends the open quiz of an agent; what it asked and its answer are erased. */
export async function endQuiz(
  db: BarDb,
  agent_id: string,
  state: 'spent' | 'lapsed',
): Promise<void> {
  await db
    .updateTable('bar_quiz')
    .set({ state, prompt: null, answer: null })
    .where('agent_id', '=', agent_id)
    .where('state', '=', 'open')
    .execute();
}

export async function deleteQuiz(db: BarDb, agent_id: string): Promise<void> {
  await db.deleteFrom('bar_quiz').where('agent_id', '=', agent_id).execute();
}

/** Lets one request bear the id of the open quiz for nothing; false if one has. */
export async function useFreeAnswer(
  db: BarDb,
  agent_id: string,
  quiz_id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('bar_quiz')
    .set({ is_free_used: 1 })
    .where('agent_id', '=', agent_id)
    .where('quiz_id', '=', quiz_id)
    .where('state', '=', 'open')
    .where('is_free_used', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes quizzes that are over and whose deadline was before `instant`. */
export async function deleteEndedQuizzes(db: BarDb, instant: number): Promise<void> {
  await db
    .deleteFrom('bar_quiz')
    .where('state', '!=', 'open')
    .where('expires_at', '<=', instant)
    .execute();
}
