import { Type } from 'typebox';
import { ValidCard } from './cards.ts';
import { text } from './fields.ts';

export const FindBody = Type.Object({
  query: text({ min: 1, max: 500, description: 'what you look for, in 1 to 500 characters' }),
});

/** A card with what it is worth for a question (D-NET-48). */
export const Match = Type.Object(
  {
    ...ValidCard.properties,
    score: Type.Integer({ minimum: 1 }),
    why: Type.Array(Type.String(), { minItems: 1 }),
  },
  { additionalProperties: false },
);

export const Found = Type.Object(
  {
    query: Type.String(),
    via: Type.Literal('leora'),
    matches: Type.Array(Match, { maxItems: 10 }),
  },
  { additionalProperties: false },
);
