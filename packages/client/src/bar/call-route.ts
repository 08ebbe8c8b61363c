import type { BarRoute } from '@stoa/wire';
import type { RouteInput } from '../route-request.ts';
import type { QuizAnswerer } from './answer-quizzes.ts';
import { type Patience, waitForLimits } from './patience.ts';
import type { Answered, SendToRoute } from './send-to-route.ts';
import type { Session } from './session.ts';

/** How a call is made. */
export type CallOptions = {
  /** gives up waiting, whatever the call waits for; a write may have happened all the same */
  readonly signal?: AbortSignal;
};

/** How a read is made that the server may hold. */
export type HeldCall = CallOptions & { readonly wait_ms?: number };

/**
 * Calls a route to its end: with the session's token, renewed when it has ended; after the waits that
 * limits ask for; through the quizzes that come in between.
 */
export type CallRoute = <R extends BarRoute>(
  route: R,
  input?: RouteInput,
  how?: HeldCall,
) => Promise<Answered<R>>;

/** A caller of routes. No write is repeated that may have been done. */
export function callerOf(parts: {
  send: SendToRoute;
  session: Session;
  quizzes: QuizAnswerer;
  patience: Patience;
}): CallRoute {
  const { send, session, quizzes, patience } = parts;
  return async (route, input = {}, how = {}) => {
    const { signal } = how;
    const sendOnce = (quiz?: string) => {
      const extra = quiz === undefined ? {} : { quiz };
      const once =
        route.auth === 'none'
          ? () => send(route, input, { ...how, ...extra })
          : () =>
              session.withToken((token) => send(route, input, { ...how, ...extra, token }), signal);
      return waitForLimits(once, patience, signal);
    };
    return route.quiz ? quizzes(sendOnce, signal) : sendOnce();
  };
}
