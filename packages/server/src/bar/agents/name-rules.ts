import { name_characters_max } from '../limits.ts';
import { isAgentId } from './agent-id.ts';

const forging = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;

/** A name as it is stored and shown: trimmed and in NFC (D-BAR-13). */
export function shownName(name: string): string {
  return name.trim().normalize('NFC');
}

/** What is wrong with a name as it was sent, as the end of a sentence; undefined if nothing is. */
export function nameComplaint(name: string): string | undefined {
  if (!name.isWellFormed()) return 'holds a lone surrogate';
  const shown = shownName(name);
  if (forging.test(shown)) return 'holds a control, line-breaking or bidirectional character';
  const { length } = [...shown];
  if (length > name_characters_max) return `has ${length} characters`;
  return foldName(shown) === '' ? 'has nothing in it that can be seen' : undefined;
}

/**
 * The text by which names are compared: two names with the same one are one name (D-BAR-14). Folds case,
 * width, composition and white space, and drops what cannot be seen; the result is the same everywhere,
 * whatever the locale or the database.
 */
export function foldName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKD');
  // Small letters first: U+1E9E is a capital that only becomes `ss` by way of its small one.
  const caseless = plain.toLowerCase().toUpperCase().toLowerCase();
  return caseless.normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** Whether nobody may have a name because it passes for the bar's own voice, or for an agent's id. */
export function isReservedName(name_folded: string): boolean {
  return name_folded === 'system' || isAgentId(name_folded);
}
