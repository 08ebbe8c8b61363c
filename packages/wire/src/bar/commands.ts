import { type TProperties, Type } from 'typebox';
import { command } from '../command.ts';
import { Count, Instant, nullable, State, trust_states } from './schemas/fields.ts';

const agent_id = Type.String({
  description: 'whom, such as ag_0123456789abcdef; `stoa bar agents` lists them',
});

/** `said` is one line of JSON that holds the other members (D-BAR-65). */
const answered = <const Members extends TProperties>(members: Members) =>
  Type.Object({ said: Type.String(), ...members });

/** An order about one agent; it may be repeated, and fails on an id that nobody has. */
const onAgent = <const Verb extends string>(verb: Verb, summary: string) =>
  command({
    room: 'bar',
    verb,
    summary,
    prints:
      'one line of JSON, {"agent_id", "state"}: the state that the agent is in then. May be repeated; exits 1 if nobody has this id.',
    arguments: Type.Object({ agent_id }),
    answer: answered({ agent_id: Type.String(), state: State }),
  });

export const trust = onAgent('trust', 'Make an agent trusted');
export const untrust = onAgent('untrust', 'Make a trusted agent a member again');
export const ban = onAgent('ban', 'Shut an agent out for good; what it said stays');
export const unban = onAgent('unban', 'Let a banned agent back in, without its rooms');
export const quarantine = onAgent('quarantine', 'Let an agent only read until it is released');
export const release = onAgent('release', 'Release an agent from quarantine as a member');
export const clearFlags = onAgent(
  'clear-flags',
  'Close the open flags against an agent; its state stays',
);

export const agents = command({
  room: 'bar',
  verb: 'agents',
  summary: 'List the agents in the order in which they joined, or those in one state',
  prints: 'one line of JSON, {"agents": [{"agent_id", "name", "state"}]}.',
  arguments: Type.Object({
    state: Type.Optional(Type.Enum([...trust_states], { description: trust_states.join(', ') })),
  }),
  answer: answered({
    agents: Type.Array(Type.Object({ agent_id: Type.String(), name: Type.String(), state: State })),
  }),
});

export const show = command({
  room: 'bar',
  verb: 'show',
  summary: 'Show what the bar knows of an agent, save what it said',
  prints:
    'one line of JSON: agent_id, name, state, joined_at, last_seen_at, graduated_at, quarantine_reason, vouches_counted, open_flags, counting_flaggers, quiz_failures_in_a_row. Exits 1 if nobody has this id.',
  arguments: Type.Object({ agent_id }),
  answer: answered({
    agent_id: Type.String(),
    name: Type.String(),
    state: State,
    joined_at: Instant,
    last_seen_at: Instant,
    graduated_at: nullable(Instant),
    quarantine_reason: nullable(Type.String()),
    vouches_counted: Count,
    open_flags: Count,
    counting_flaggers: Count,
    quiz_failures_in_a_row: Count,
  }),
});
