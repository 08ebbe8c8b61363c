import type { Bar } from '../bar.ts';
import { ended_kept_seconds } from '../limits.ts';
import { deleteEndedQuizzes } from '../quiz/quiz-store.ts';
import { settleIn } from './settle.ts';
import { listDue } from './trust-store.ts';

/** Agents settled in one transaction. */
const batch_agents_max = 100;

/** Settles every agent that time may have changed, and forgets quizzes that ended long ago (D-BAR-24). */
export async function settleDue(bar: Bar, signal: AbortSignal): Promise<void> {
  let is_more = true;
  while (is_more && !signal.aborted) {
    is_more = await bar.transact(async (tx) => {
      const due = await listDue(tx.db, bar.clock.now(), batch_agents_max);
      for (const agent_id of due) await settleIn(bar, tx, agent_id);
      // What one settles may be what another waited for.
      return due.length > 0;
    });
  }
  const instant = bar.clock.now() - ended_kept_seconds * 1_000;
  await bar.transact(({ db }) => deleteEndedQuizzes(db, instant));
}
