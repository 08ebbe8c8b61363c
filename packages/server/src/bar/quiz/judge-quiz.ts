import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';

/** Lets a write pass, or stops it with a quiz (protocol, section 15). */
export async function judgeQuiz(
  _bar: Bar,
  _caller: Caller,
  _header: string | string[] | undefined,
): Promise<void> {}
