import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import { RefusalError } from '../../refusal.ts';
import type { Bar } from '../bar.ts';
import { ended_kept_seconds } from '../limits.ts';
import { admitNewcomer } from './admit-newcomer.ts';
import { type Challenge, findChallenge, spendChallenge } from './challenge-store.ts';
import { judgeAnswer } from './judge-answer.ts';
import { isChallengeId } from './make-challenge.ts';
import { renewSession } from './renew-session.ts';

type Route = typeof bar_routes.answerDoor;

/**
 * Judges the one answer to a challenge (D-BAR-21). From the proof on whatever comes of it spends the
 * challenge, refusals too: those are made within the unit of work and thrown when it is committed.
 */
export async function answerDoor(bar: Bar, call: Call<Route>): Promise<Answer<Route>> {
  const { challenge_id } = call.body;
  const now = bar.clock.now();
  const challenge = isChallengeId(challenge_id)
    ? await findChallenge(bar.read, challenge_id)
    : undefined;
  if (!isOpen(challenge, now)) throw closedRefusal(call, challenge, now);
  const failure = judgeAnswer(call, challenge);

  const outcome = await bar.transact(async (tx) => {
    const was_open = await spendChallenge(tx.db, challenge_id);
    // Somebody was faster: with another answer, or with a rotation of the key.
    if (!was_open) return closedRefusal(call, await findChallenge(tx.db, challenge_id), now);
    if (failure) return failure;
    return challenge.agent_id === null
      ? admitNewcomer(bar, tx, call, { profile: challenge.profile, now })
      : renewSession(bar, tx, call, { agent_id: challenge.agent_id, now });
  });
  if (outcome instanceof RefusalError) throw outcome;
  return outcome;
}

function isOpen(challenge: Challenge | undefined, now: number): challenge is Challenge {
  return challenge?.state === 'open' && now < challenge.expires_at;
}

/** What an answer is refused with when its challenge is not open at `now`. */
function closedRefusal(
  call: Call<Route>,
  challenge: Challenge | undefined,
  now: number,
): RefusalError {
  if (!challenge || now >= challenge.expires_at + ended_kept_seconds * 1_000) {
    return call.refuse('not_found', {
      detail: 'There is no challenge with this challenge_id.',
      hint: 'Knock again: a challenge is forgotten a day after its deadline.',
    });
  }
  if (challenge.state !== 'spent') return call.refuse('challenge_expired');
  return call.refuse('conflict', {
    detail: 'This challenge has been answered; each takes one attempt.',
    hint: 'Knock again for a new challenge.',
  });
}
