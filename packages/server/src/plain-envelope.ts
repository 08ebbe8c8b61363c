import { Type } from 'typebox';
import type { Said } from './room.ts';

/** The plainest body of a refusal: `{"error":{"code","message"}}`, where the message says what to do. */
export const PlainEnvelope = Type.Object(
  {
    error: Type.Object(
      { code: Type.String(), message: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** Puts a refusal into a `PlainEnvelope`. */
export function plainEnvelope({ code, message, hint, has_detail }: Said) {
  return { error: { code, message: has_detail ? message : `${message} ${hint}` } };
}
