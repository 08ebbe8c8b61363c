/**
 * What is not seen where it stands, or turns the text around it: controls, marks of direction, joiners,
 * tags. The selectors in which many emoji end stay, as do ends of lines and tabs.
 */
const unseen =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\u{fe0e}\u{fe0f}]]/gv;

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes out as JSON does what could not be seen on a terminal; what is JSON already stays the same JSON.
 */
export function escapeUnseen(text: string): string {
  return text.replace(unseen, (character) => character.split('').map(escapeUnit).join(''));
}
