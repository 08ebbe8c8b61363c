import { Type } from 'typebox';

/** What can be said of the mini agent where there is none. */
export const AgentState = Type.Object(
  {
    available: Type.Literal(false),
    reason: Type.Enum(['not_configured']),
    paused: Type.Boolean(),
    queue_length: Type.Integer({ minimum: 0 }),
    running: Type.Boolean(),
    loaded_model: Type.Null(),
    models: Type.Array(Type.Object({}), { maxItems: 0 }),
  },
  { additionalProperties: false },
);
