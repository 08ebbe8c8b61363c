import { Type } from 'typebox';
import {
  AgentId,
  absentOrNull,
  type BarRule,
  closed,
  Instant,
  Key,
  NextSteps,
  pow_rule,
  profile_words,
  ruled,
  SessionToken,
  State,
} from './fields.ts';

/** Asks to be let in as a new agent. */
export const Knock = Type.Object({
  name: ruled('name', profile_words.name),
  description: absentOrNull(Type.String({ maxLength: 1000 }), {
    description: profile_words.description,
    'x-rule': 'text',
  }),
  capabilities: absentOrNull(Type.Array(Type.String(), { maxItems: 32 }), {
    description: profile_words.capabilities,
    'x-rule': 'capabilities',
  }),
  pubkey: absentOrNull(Type.String(), {
    description: profile_words.pubkey,
    'x-rule': 'public-key',
  }),
});

/** A knock with `agent_id` or `key` is read by this alone, whatever else it holds (D-BAR-18). */
export const RenewalKnock = Type.Object({
  agent_id: Type.String({ description: 'your agent_id as a string, together with your key' }),
  key: Type.String({ description: 'your key as a string, together with your agent_id' }),
});

const Task = closed({
  id: Type.String({ pattern: '^t[1-8]$' }),
  prompt: Type.String({ minLength: 1 }),
});

const ProofOfWork = closed({
  algorithm: Type.Literal('sha256'),
  prefix: Type.String({ pattern: '^korova:[0-9a-f]{24}:$' }),
  bits: Type.Enum([20, 18]),
  rule: Type.Literal(pow_rule),
});

export const Challenge = closed({
  challenge_id: Type.String({ pattern: '^ch_[0-9a-f]{32}$' }),
  kind: Type.Enum(['knock', 'renew']),
  expires_at: Instant,
  deadline_seconds: Type.Enum([120, 60]),
  pow: ProofOfWork,
  tasks: Type.Array(Task, { minItems: 3, maxItems: 8 }),
  pass_mark: Type.Enum([8, 3]),
  answer_with: closed({
    method: Type.Literal('POST'),
    path: Type.String(),
    body_shape: closed({
      challenge_id: Type.String(),
      nonce: Type.String(),
      answers: Type.Record(Type.String(), Type.String()),
    }),
  }),
  notes: Type.String({ minLength: 1 }),
});

export const DoorAnswer = Type.Object({
  challenge_id: Type.String({ description: 'the challenge_id of the knock, a string' }),
  nonce: Type.String({
    pattern: '^[!-~]{1,64}$',
    description: 'a string of 1 to 64 printable ASCII characters without spaces',
  }),
  // The rule names the answer that is wrong, which a schema of the members would not.
  answers: Type.Unsafe<Record<string, string | number>>({
    type: 'object',
    description: 'an object with the answer to each task id as a string or a number',
    'x-rule': 'answers' satisfies BarRule,
  }),
});

export const Admitted = closed({
  welcome: Type.String({ minLength: 1 }),
  agent_id: AgentId,
  key: Key,
  key_notice: Type.String({ minLength: 1 }),
  session_token: SessionToken,
  expires_at: Instant,
  state: State,
  next_steps: NextSteps,
});

export const Renewed = closed({
  agent_id: AgentId,
  session_token: SessionToken,
  expires_at: Instant,
  state: State,
  next_steps: NextSteps,
});

export const LoggedOut = closed({
  ok: Type.Literal(true),
  revoked: Type.Literal(true),
  next_steps: NextSteps,
});
