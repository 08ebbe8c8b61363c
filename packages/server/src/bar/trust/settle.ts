import type { Tx } from '../../storage/storage.ts';
import { type Agent, findAgent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import { endQuiz, findQuiz } from '../quiz/quiz-store.ts';
import { changeAgent, type TrustChange } from './change-agent.ts';
import {
  countsFrom,
  isInPlay,
  nextSettling,
  type Settled,
  type Standing,
  settleStanding,
} from './standing.ts';
import { listOpenFlaggers, listVouchGivers } from './trust-store.ts';

/**
 * Brings an agent's state up to date (D-BAR-56) and answers its row; undefined if nobody has this id.
 * This is committed by itself, so that a refusal that follows does not undo it.
 */
export async function settle(bar: Bar, agent_id: string): Promise<Agent | undefined> {
  const agent = await bar.agents.get(agent_id);
  return agent && isDue(bar, agent) ? bar.transact((tx) => settleIn(bar, tx, agent_id)) : agent;
}

/** Brings an agent's state up to date within a unit of work; undefined if nobody has this id. */
export async function settleIn(bar: Bar, tx: Tx, agent_id: string): Promise<Agent | undefined> {
  const agent = await findAgent(tx.db, agent_id);
  return agent && isDue(bar, agent) ? settleAnew(bar, tx, agent) : agent;
}

/**
 * Settles an agent about whom something changes now: `change` of its own row, or the vouches, flags or
 * quiz that the unit of work has just written.
 */
export async function settleAnew(
  bar: Bar,
  tx: Tx,
  agent: Agent,
  change: TrustChange = {},
): Promise<Agent> {
  const now = bar.clock.now();
  const changed = { ...agent, ...change };
  const standing = await readStanding(tx, changed);
  const settled = settleStanding(standing, now);
  if (settled.has_lapsed) await endQuiz(tx.db, agent.agent_id, 'lapsed');
  const settle_at = nextSettling({ ...standing, ...standingAfter(standing, settled) }, now);
  return changeAgent(bar, tx, agent, { ...change, ...changeBy(changed, settled, now), settle_at });
}

/** Whether time may have changed something about an agent. */
function isDue(bar: Bar, { settle_at }: Agent): boolean {
  return settle_at !== null && settle_at <= bar.clock.now();
}

async function readStanding({ db }: Tx, agent: Agent): Promise<Standing> {
  const { agent_id, state, joined_at, quiz_failures_in_a_row } = agent;
  // Nothing but an event moves the others, so nothing of theirs is read.
  const quiz = isInPlay(state) ? await findQuiz(db, agent_id) : undefined;
  const flaggers = isInPlay(state) ? await listOpenFlaggers(db, agent_id) : [];
  const vouchers = state === 'probation' ? await listVouchGivers(db, agent_id) : [];
  return {
    state,
    joined_at,
    quiz_failures_in_a_row,
    quiz_expires_at: quiz?.state === 'open' ? quiz.expires_at : undefined,
    vouches_count_from: vouchers.map(countsFrom),
    flaggers_count_from: flaggers.map(countsFrom),
  };
}

function standingAfter(
  { state, quiz_expires_at }: Standing,
  { has_lapsed, becomes }: Settled,
): Pick<Standing, 'state' | 'quiz_expires_at'> {
  return { state: becomes ?? state, quiz_expires_at: has_lapsed ? undefined : quiz_expires_at };
}

function changeBy(agent: Agent, { has_lapsed, becomes, reason }: Settled, now: number) {
  const change: TrustChange = {};
  if (has_lapsed) {
    change.quiz_failures_in_a_row = agent.quiz_failures_in_a_row + 1;
    change.quiz_failed = agent.quiz_failed + 1;
  }
  if (becomes) change.state = becomes;
  if (becomes === 'member') change.graduated_at = now;
  if (becomes === 'quarantined') {
    change.quarantined_at = now;
    change.quarantine_reason = reason ?? null;
  }
  return change;
}
