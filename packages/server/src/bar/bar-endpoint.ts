import type { Answer, BarRoute } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import type { Endpoint } from '../room.ts';
import { admit } from './admit.ts';
import type { Bar } from './bar.ts';
import type { Caller } from './caller.ts';
import { chargeRefused, settleFreeAnswer } from './quiz/free-answer.ts';
import { judgeQuiz } from './quiz/judge-quiz.ts';

/** A use case of the bar that needs a session; `checked` is what its form check answered. */
export type MemberUseCase<R extends BarRoute, Checked = undefined> = (
  bar: Bar,
  call: Call<R>,
  caller: Caller,
  checked: Checked,
) => Promise<Answer<R>>;

/**
 * Refuses what the request itself rules out, whatever is stored, before anybody has to solve a quiz for
 * it (D-BAR-02, step 6); its schema has been checked.
 */
export type FormCheck<R extends BarRoute, Checked> = (call: Call<R>, caller: Caller) => Checked;

/**
 * Joins a route that needs a session to its use case, in the order of D-BAR-02: token, ban, bucket and
 * state before the body is read; then the form; then the quiz; then the use case.
 */
export function memberEndpoint<R extends BarRoute, Checked = undefined>(
  bar: Bar,
  route: R,
  useCase: MemberUseCase<R, Checked>,
  checkForm?: FormCheck<R, Checked>,
): Endpoint {
  return {
    route,
    before: (head) => admit(bar, route, head),
    // @NOTE What `before` answers is handed back by the host.
    refused: (seen) => chargeRefused(bar, route, seen as Caller),
    answer: async (given, seen) => {
      // @NOTE What `before` answers is handed to `answer` by the host, which validated the call.
      const caller = seen as Caller;
      const call = given as unknown as Call<R>;
      // @NOTE Without a form check `Checked` is undefined.
      const checked = checkForm?.(call, caller) as Checked;
      if (!route.quiz) return useCase(bar, call, caller, checked);
      await settleFreeAnswer(bar, route, caller);
      const agent = await judgeQuiz(bar, route, caller.agent, call.headers['x-korova-quiz']);
      return useCase(bar, call, { ...caller, agent }, checked);
    },
  };
}
