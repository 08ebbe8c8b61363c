/**
 * The complaint that both the name and the message may earn: a lone surrogate, or a length in
 * Unicode code points outside the bounds.
 *
 * @see D-BOOK-10
 */
export function textComplaint(
  text: string,
  bounds: { characters_min: number; characters_max: number },
): string | undefined {
  const { characters_min, characters_max } = bounds;
  if (!text.isWellFormed()) return 'holds a lone surrogate: it is not well-formed Unicode';
  const characters = [...text].length;
  if (characters >= characters_min && characters <= characters_max) return undefined;
  return `has ${characters} characters; ${characters_min} to ${characters_max} are allowed`;
}

/** A code point as people write it: `U+200B`. */
export function codePointName(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, '0')}`;
}
