import {
  probation_seconds,
  quarantine_flaggers,
  quiz_failures_max,
  seasoning_seconds,
  vouches_to_graduate,
} from '../limits.ts';
import type { QuarantineReason, TrustState } from '../tables.ts';

/** An agent that vouches or flags, as far as it matters to whether that counts. */
export type Giver = { readonly state: TrustState; readonly graduated_at: number | null };

/** The instant from which what an agent gives counts, while it stays as it is (D-BAR-57). */
export function countsFrom({ state, graduated_at }: Giver): number {
  if (state === 'trusted') return Number.NEGATIVE_INFINITY;
  if (state !== 'member' || graduated_at === null) return Number.POSITIVE_INFINITY;
  return graduated_at + seasoning_seconds * 1_000;
}

/** Whether what an agent gave counts at `now`. */
export const isSeasoned = (giver: Giver, now: number): boolean => countsFrom(giver) <= now;

/** States in which quizzes and flags concern an agent. */
export const isInPlay = (state: TrustState): state is 'probation' | 'member' =>
  state === 'probation' || state === 'member';

/** Everything that moves an agent from one state to the next. */
export type Standing = {
  readonly state: TrustState;
  readonly joined_at: number;
  readonly quiz_failures_in_a_row: number;
  /** When its open quiz ends. */
  readonly quiz_expires_at: number | undefined;
  /** From when each vouch for it counts. */
  readonly vouches_count_from: readonly number[];
  /** From when each agent counts that has open flags against it. */
  readonly flaggers_count_from: readonly number[];
};

export type Settled = {
  readonly has_lapsed: boolean;
  readonly becomes?: 'member' | 'quarantined';
  readonly reason?: QuarantineReason;
};

const countedAt = (count_from: readonly number[], now: number) =>
  count_from.filter((from) => from <= now).length;

export const timeGraduation = (joined_at: number): number => joined_at + probation_seconds * 1_000;

/** Whether an agent on probation meets a condition to graduate at `now`. */
export function mayGraduate(
  standing: Pick<Standing, 'joined_at' | 'vouches_count_from' | 'flaggers_count_from'>,
  now: number,
): boolean {
  if (countedAt(standing.vouches_count_from, now) >= vouches_to_graduate) return true;
  return (
    now >= timeGraduation(standing.joined_at) && countedAt(standing.flaggers_count_from, now) === 0
  );
}

/** What settling makes of an agent at `now`, in the order of D-BAR-56. */
export function settleStanding(standing: Standing, now: number): Settled {
  const { state, quiz_expires_at } = standing;
  if (!isInPlay(state)) return { has_lapsed: false };
  const has_lapsed = quiz_expires_at !== undefined && quiz_expires_at <= now;
  const failures = standing.quiz_failures_in_a_row + (has_lapsed ? 1 : 0);
  if (failures >= quiz_failures_max) {
    return { has_lapsed, becomes: 'quarantined', reason: 'quiz_failures' };
  }
  if (countedAt(standing.flaggers_count_from, now) >= quarantine_flaggers) {
    return { has_lapsed, becomes: 'quarantined', reason: 'flags' };
  }
  if (state === 'probation' && mayGraduate(standing, now)) return { has_lapsed, becomes: 'member' };
  return { has_lapsed };
}

/** The first instant after `now` at which settling may change something without any event. */
export function nextSettling(standing: Standing, now: number): number | null {
  const { state, quiz_expires_at, joined_at } = standing;
  if (!isInPlay(state)) return null;
  const instants = [
    ...(quiz_expires_at === undefined ? [] : [quiz_expires_at]),
    ...standing.flaggers_count_from,
    ...(state === 'probation' ? [timeGraduation(joined_at), ...standing.vouches_count_from] : []),
  ].filter((instant) => instant > now && Number.isFinite(instant));
  return instants.length === 0 ? null : instants.reduce((first, next) => Math.min(first, next));
}
