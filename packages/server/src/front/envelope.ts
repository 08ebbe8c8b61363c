import { Type } from 'typebox';
import type { Said } from '../room.ts';

/** The house's own refusal: `{"error":{"code","message","hint"}}`, where the hint says what to do next. */
export const HouseEnvelope = Type.Object(
  {
    error: Type.Object(
      { code: Type.String(), message: Type.String(), hint: Type.String() },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** Puts a refusal into a `HouseEnvelope`. */
export function houseEnvelope({ code, message, hint }: Said) {
  return { error: { code, message, hint } };
}
