import type { Answer, BarRoute } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import type { Endpoint } from '../room.ts';
import { admit } from './admit.ts';
import type { Bar } from './bar.ts';
import type { Caller } from './caller.ts';
import { judgeQuiz } from './quiz/judge-quiz.ts';

/** A use case of the bar that needs a session. */
export type MemberUseCase<R extends BarRoute> = (
  bar: Bar,
  call: Call<R>,
  caller: Caller,
) => Promise<Answer<R>>;

/**
 * Joins a route that needs a session to its use case, in the order of D-BAR-02: token, ban, bucket and
 * state before the body is read; then the form; then the quiz; then the use case.
 */
export function memberEndpoint<R extends BarRoute>(
  bar: Bar,
  route: R,
  useCase: MemberUseCase<R>,
): Endpoint {
  // @NOTE What `before` answers is handed to `answer` by the host.
  return {
    route,
    before: (head) => admit(bar, route, head),
    answer: async (call, seen) => {
      const caller = seen as Caller;
      if (route.quiz) await judgeQuiz(bar, caller, call.headers['x-korova-quiz']);
      return useCase(bar, call as unknown as Call<R>, caller);
    },
  };
}
