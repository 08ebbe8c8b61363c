import type { Rule } from '../room.ts';

/** Whether no text in a value holds a lone surrogate. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([name, member]) => name.isWellFormed() && isWellFormed(member),
  );
}

/** Whether a text holds a character of U+0000 to U+001F, or U+007F. */
function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

const not_well_formed = 'holds half of a surrogate pair, which is no character';

/** The rules that fields of the network are held to beyond their schemas. */
export const network_rules: Readonly<Record<string, Rule>> = {
  text: (value: unknown) => (isWellFormed(value) ? undefined : not_well_formed),
  'stored-text': (value: string) => {
    if (!value.isWellFormed()) return not_well_formed;
    return value.includes('\u0000') ? 'holds the character U+0000' : undefined;
  },
  line: (value: string) => {
    if (!value.isWellFormed()) return not_well_formed;
    return hasControl(value) ? 'holds a control character' : undefined;
  },
};
