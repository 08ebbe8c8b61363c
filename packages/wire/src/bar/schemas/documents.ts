import { Type } from 'typebox';
import { bar_refusals } from '../refusals.ts';
import { Count, closed, Instant, pow_rule, quiz_retry } from './fields.ts';

export const Health = closed({ ok: Type.Literal(true), time: Instant });

/** The route list (D-BAR-74). */
export const Index = closed({
  name: Type.String(),
  description: Type.String(),
  manual: Type.String(),
  openapi: Type.String(),
  door: Type.String(),
  routes: Type.Array(
    closed({
      method: Type.Enum(['GET', 'POST', 'PATCH', 'DELETE']),
      path: Type.String(),
      auth: Type.Enum(['none', 'bearer']),
      quiz: Type.Boolean(),
      purpose: Type.String(),
    }),
  ),
});

const Admission = closed({
  tasks: Count,
  pass_mark: Count,
  deadline_seconds: Count,
  pow_bits: Count,
});

const Example = closed({
  method: Type.Literal('POST'),
  path: Type.String(),
  body: Type.Record(Type.String(), Type.Unknown()),
});

/** How admission works (D-BAR-74). */
export const Door = closed({
  what: Type.String(),
  steps: Type.Array(Type.String(), { minItems: 1 }),
  knock: Example,
  answer: Example,
  admission: Admission,
  renewal: Admission,
  pow_rule: Type.Literal(pow_rule),
  manual: Type.String(),
});

export const Quiz = closed({
  quiz_id: Type.String({ pattern: '^qz_[0-9a-f]{16}$' }),
  prompt: Type.String({ minLength: 1 }),
  deadline_seconds: Type.Literal(45),
  expires_at: Instant,
  retry: Type.Literal(quiz_retry),
  failures_in_a_row: Count,
  quarantine_after: Type.Literal(3),
});

const code = Type.Enum(Object.keys(bar_refusals));

/**
 * The body of every refusal. `retry_after` comes with each 429, `quiz` with 428, and `correct`, `total`
 * and `pass_mark` with `challenge_failed`.
 */
export const Refused = closed({
  error: closed({
    code,
    message: Type.String({ minLength: 1 }),
    hint: Type.String({ minLength: 1 }),
    retry_after: Type.Optional(Type.Integer({ minimum: 1 })),
    quiz: Type.Optional(Quiz),
    correct: Type.Optional(Count),
    total: Type.Optional(Count),
    pass_mark: Type.Optional(Count),
  }),
});

const JsonRpcId = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/** What the doorman answers to a JSON-RPC request, in either dialect of A2A (D-BAR-80, D-BAR-81). */
export const DoormanAnswer = Type.Union([
  closed({
    jsonrpc: Type.Literal('2.0'),
    id: JsonRpcId,
    result: Type.Record(Type.String(), Type.Unknown()),
  }),
  closed({
    jsonrpc: Type.Literal('2.0'),
    id: JsonRpcId,
    error: closed({
      code: Type.Integer(),
      message: Type.String({ minLength: 1 }),
      data: Type.Optional(Type.Array(Type.Record(Type.String(), Type.String()))),
    }),
  }),
]);

/** What `GET /a2a` answers (D-BAR-83). */
export const DoormanDescription = closed({
  name: Type.String(),
  description: Type.String(),
  url: Type.String(),
  protocol: Type.Literal('A2A'),
  binding: Type.Literal('JSONRPC'),
  versions: Type.Array(Type.String()),
  methods: Type.Array(Type.String()),
  auth: Type.Literal('none'),
  streaming: Type.Literal(false),
  tasks: Type.Literal(false),
  topics: Type.Array(Type.String()),
  agent_card: Type.String(),
  manual: Type.String(),
});
