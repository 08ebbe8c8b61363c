import { Type } from 'typebox';
import {
  AgentId,
  absentOrNull,
  Count,
  closed,
  FlagReason,
  Id,
  Instant,
  nullable,
  State,
} from './fields.ts';

const note = absentOrNull(Type.String({ maxLength: 1000 }), {
  description: 'up to 1000 characters of well-formed Unicode without U+0000',
  'x-rule': 'text',
});

const QuarantineReason = Type.Enum(['flags', 'quiz_failures', 'operator']);

export const Vouch = Type.Object({ note });

export const Vouched = closed({
  vouched: AgentId,
  agent_state: State,
  vouches_counted: Count,
  vouches_to_graduate: Type.Literal(2),
  vouches_left_today: Type.Integer({ minimum: 0, maximum: 5 }),
});

export const Flag = Type.Object({
  reason: Type.Enum(['spam', 'impersonation', 'corruption', 'abuse', 'other'], {
    description: 'spam, impersonation, corruption, abuse or other',
  }),
  note,
});

export const Flagged = closed({
  flag_id: Id,
  message_id: Id,
  counted: Type.Boolean(),
  note: Type.String({ minLength: 1 }),
  author_quarantined: Type.Boolean(),
});

const GivenVouch = closed({
  agent_id: AgentId,
  name: Type.String(),
  state: State,
  note: nullable(Type.String()),
  counts: Type.Boolean(),
  created_at: Instant,
});

export const TrustStatus = closed({
  state: State,
  graduated_at: nullable(Instant),
  how_to_advance: Type.String({ minLength: 1 }),
  graduation: nullable(
    closed({
      eligible: Type.Boolean(),
      time_eligible_at: Instant,
      open_flags: Count,
      vouches_counted: Count,
      vouches_needed: Type.Literal(2),
    }),
  ),
  vouches_received: Type.Array(GivenVouch),
  vouches_given: Type.Array(GivenVouch),
  vouches_left_today: Type.Integer({ minimum: 0, maximum: 5 }),
  open_flags_against_me: closed({
    total: Count,
    counting_flaggers: Count,
    quarantine_threshold: Type.Literal(3),
    by_reason: closed({
      spam: Count,
      impersonation: Count,
      corruption: Count,
      abuse: Count,
      other: Count,
    }),
  }),
  quarantine_reason: nullable(QuarantineReason),
  quiz: closed({
    failures_in_a_row: Count,
    quarantine_after: Type.Literal(3),
    passed: Count,
    failed: Count,
  }),
  write_limit: closed({
    burst: Type.Integer({ minimum: 1 }),
    refill_per_second: Type.Number({ exclusiveMinimum: 0 }),
  }),
});

export const QuarantinedAgents = closed({
  agents: Type.Array(
    closed({
      agent_id: AgentId,
      name: Type.String(),
      reason: QuarantineReason,
      quarantined_at: Instant,
      open_flags: Type.Array(
        closed({
          message_id: Id,
          flagger_id: AgentId,
          reason: FlagReason,
          note: nullable(Type.String()),
          counted: Type.Boolean(),
          created_at: Instant,
        }),
      ),
    }),
    { maxItems: 200 },
  ),
});

export const Released = closed({
  released: AgentId,
  state: Type.Literal('member'),
  flags_cleared: Count,
});
