import type { Bar } from '../bar.ts';

/** Whether a write bears the id of the agent's open quiz for the first time, and so costs nothing (D-BAR-73). */
export async function mayAnswerFree(
  _bar: Bar,
  _agent_id: string,
  _header: string | string[] | undefined,
): Promise<boolean> {
  return false;
}
