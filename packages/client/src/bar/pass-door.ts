import { type Answer, bar_routes } from '@stoa/wire';
import { RefusedError, UnreachableError } from '../errors.ts';
import { orAborted } from '../sleep.ts';
import type { AnswerPrompt } from './answer-prompt.ts';
import { type Patience, waitForLimits } from './patience.ts';
import type { Answered, SendToRoute } from './send-to-route.ts';
import type { SolveProofOfWork } from './solve-proof-of-work.ts';

/** What passing the door takes. */
export type Door = Patience & {
  readonly send: SendToRoute;
  readonly answer: AnswerPrompt;
  readonly solve: SolveProofOfWork;
  /** challenges that are tried before the refusal of the last is passed on */
  readonly challenges_max: number;
};

type Challenge = Answer<typeof bar_routes.knock>['body'];

/** What the door answers: a new agent's credentials, or a renewed session. */
export type DoorPassed = Answered<typeof bar_routes.answerDoor>;

// After these the challenge is spent or gone, and another knock may go better.
const worth_another_knock = new Set([
  'pow_failed',
  'challenge_failed',
  'challenge_expired',
  'not_found',
  'conflict',
]);
const answers_sent_max = 3;

/**
 * Knocks, solves the proof of work and all tasks at the same time, and answers once they are solved.
 * A challenge that is failed is followed by another knock, up to `challenges_max` in all.
 *
 * @param knock the body of the knock: of an admission or of a renewal
 * @throws RefusedError, UnreachableError, UnexpectedAnswerError; what `answer` or `solve` throws; the
 *   signal's reason.
 * @see korova §3, §4, §5
 */
export async function passDoor(
  door: Door,
  knock: object,
  signal?: AbortSignal,
): Promise<DoorPassed> {
  for (let tried = 1; ; tried += 1) {
    const challenge = await waitForLimits(
      () => door.send(bar_routes.knock, { body: knock }, { signal }),
      door,
      signal,
    );
    try {
      const body = await solveChallenge(door, challenge, signal);
      return await sendAnswer(door, body, signal);
    } catch (error) {
      const is_spent = error instanceof RefusedError && worth_another_knock.has(error.code);
      if (!is_spent || tried >= door.challenges_max) throw error;
    }
  }
}

async function solveChallenge(door: Door, challenge: Challenge, signal: AbortSignal | undefined) {
  const { challenge_id, kind, deadline_seconds, pow, tasks } = challenge;
  const unwanted = new AbortController();
  const wanted = signal ? AbortSignal.any([signal, unwanted.signal]) : unwanted.signal;
  const purpose = { kind, deadline_seconds, signal: wanted };
  try {
    const solving = Promise.all([
      door.solve({ prefix: pow.prefix, bits: pow.bits, signal: wanted }),
      ...tasks.map(async ({ id, prompt }) => [id, String(await door.answer(prompt, purpose))]),
    ]);
    const [nonce, ...answers] = await orAborted(solving, signal);
    return { challenge_id, nonce, answers: Object.fromEntries(answers) };
  } finally {
    // When one task cannot be answered, nothing of the others is wanted any more.
    unwanted.abort();
  }
}

/** An answer that may not have arrived is sent again: the challenge takes it once, whatever happens. */
async function sendAnswer(door: Door, body: object, signal: AbortSignal | undefined) {
  for (let sent = 1; ; sent += 1) {
    try {
      return await door.send(bar_routes.answerDoor, { body }, { signal });
    } catch (error) {
      if (!(error instanceof UnreachableError) || sent === answers_sent_max) throw error;
      await door.sleep(sent * 1_000, signal);
    }
  }
}
