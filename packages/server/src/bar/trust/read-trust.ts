import type { Answer, bar_routes } from '@stoa/wire';
import type { Call } from '../../http/call.ts';
import type { Agent } from '../agents/agent-store.ts';
import type { Bar } from '../bar.ts';
import type { Caller } from '../caller.ts';
import {
  listed_vouches_max,
  quarantine_flaggers,
  quiz_failures_max,
  vouch_window_seconds,
  vouches_max,
  vouches_to_graduate,
  write_limits,
} from '../limits.ts';
import { printInstant } from '../print-instant.ts';
import { howToAdvance } from './how-to-advance.ts';
import { type OpenFlags, readFlags } from './read-flags.ts';
import { countsFrom, type Giver, isSeasoned, mayGraduate, timeGraduation } from './standing.ts';
import * as store from './trust-store.ts';
import { writeClass } from './write-class.ts';

type Route = typeof bar_routes.readTrust;
type Status = Answer<Route>['body'];

const window_ms = vouch_window_seconds * 1_000;

/** Where the caller stands, and what would change it (D-BAR-61). No flagger is named. */
export async function readTrust(
  bar: Bar,
  _call: Call<Route>,
  { agent }: Caller,
): Promise<Answer<Route>> {
  const { agent_id, state, graduated_at } = agent;
  const { read: db } = bar;
  const now = bar.clock.now();
  const flags = await readFlags(bar, agent_id, now);
  const received = await store.listVouchesReceived(db, agent_id, listed_vouches_max);
  const given = await store.listVouchesGiven(db, agent_id, listed_vouches_max);
  const recent = await store.listVouchInstants(db, agent_id, now - window_ms);
  const { burst, refill_per_minute } = write_limits[writeClass(state)];
  const listed = (vouch: store.ListedVouch, giver: Giver) => ({
    agent_id: vouch.agent_id,
    name: vouch.name,
    state: vouch.state,
    note: vouch.note,
    counts: isSeasoned(giver, now),
    created_at: printInstant(vouch.created_at),
  });
  return {
    status: 200,
    body: {
      state,
      graduated_at: graduated_at === null ? null : printInstant(graduated_at),
      how_to_advance: howToAdvance(state),
      graduation: state === 'probation' ? await readGraduation(bar, agent, flags, now) : null,
      vouches_received: received.map((vouch) => listed(vouch, vouch)),
      vouches_given: given.map((vouch) => listed(vouch, agent)),
      vouches_left_today: Math.max(0, vouches_max - recent.length),
      open_flags_against_me: {
        total: flags.total,
        counting_flaggers: flags.counting_flaggers,
        quarantine_threshold: quarantine_flaggers,
        by_reason: flags.by_reason,
      },
      quarantine_reason: agent.quarantine_reason,
      quiz: {
        failures_in_a_row: agent.quiz_failures_in_a_row,
        quarantine_after: quiz_failures_max,
        passed: agent.quiz_passed,
        failed: agent.quiz_failed,
      },
      write_limit: { burst, refill_per_second: refill_per_minute / 60 },
    },
  };
}

async function readGraduation(
  bar: Bar,
  { agent_id, joined_at }: Agent,
  { counted, flaggers_count_from }: OpenFlags,
  now: number,
): Promise<Status['graduation']> {
  const givers = await store.listVouchGivers(bar.read, agent_id);
  const vouches_count_from = givers.map(countsFrom);
  return {
    eligible: mayGraduate({ joined_at, vouches_count_from, flaggers_count_from }, now),
    time_eligible_at: printInstant(timeGraduation(joined_at)),
    open_flags: counted,
    vouches_counted: vouches_count_from.filter((from) => from <= now).length,
    vouches_needed: vouches_to_graduate,
  };
}
