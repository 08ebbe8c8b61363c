import { codePointName, textComplaint } from './text-complaint.ts';

const characters_min = 1;
const characters_max = 280;
const quoted_characters_max = 60;

// The invisible ones are Unicode's Default_Ignorable_Code_Point, with FFF9-FFFB and without the
// emoji selectors FE0E and FE0F. The list is fixed, so that no Unicode update changes what passes.
const forbidden_characters: readonly { pattern: RegExp; what: string }[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  { pattern: /[\u0000-\u001F\u007F-\u009F]/u, what: 'a control character' },
  { pattern: /[\u2028\u2029]/u, what: 'a line separator' },
  { pattern: /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u, what: 'a bidi control' },
  {
    pattern:
      // biome-ignore lint/suspicious/noMisleadingCharacterClass: a set of single code points
      /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u2065\u206A-\u206F\u3164\uFE00-\uFE0D\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/u,
    what: 'a zero-width or otherwise invisible character',
  },
  { pattern: /[<>]/u, what: 'an angle bracket' },
];

const url_patterns: readonly RegExp[] = [
  /:\/\//u,
  /(?<![\p{L}\p{N}])www\.[\p{L}\p{N}]/u,
  /(?<![\p{L}\p{N}_+.-])(?:https?|ftp|mailto|javascript|vbscript|data|tel):\S/u,
  /[\p{L}\p{N}-]\.(?:com|net|org|edu|gov|biz|io|ai|dev|app|xyz|co|gg|tv|ly|uk|de|fr|nl|eu|ru|cn|jp|br|onion)(?![\p{L}\p{N}_-])/u,
  /[\p{L}\p{N}-]\.\p{L}{2,}\/\S/u,
  /(?<![\p{N}.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]|\/)/u,
];

/**
 * What is wrong with a message, or `undefined`. The words follow the field's name:
 * `message ${complaint}`. Looked at in this order: well-formed Unicode, 1 to 280 code points, each
 * character, URLs; a URL is quoted as it was found, that is in compatible lower-case letters.
 *
 * @see guestbook §Post (D-BOOK-10, D-BOOK-11, D-BOOK-12)
 */
export function messageComplaint(message: string): string | undefined {
  return (
    textComplaint(message, { characters_min, characters_max }) ??
    characterComplaint(message) ??
    urlComplaint(message)
  );
}

function characterComplaint(message: string): string | undefined {
  for (const character of message) {
    const found = forbidden_characters.find(({ pattern }) => pattern.test(character));
    if (found !== undefined) {
      return `holds ${codePointName(character)}, ${found.what}, which is not allowed`;
    }
  }
  return undefined;
}

function urlComplaint(message: string): string | undefined {
  const folded = message.normalize('NFKC').toLowerCase().replaceAll('\u3002', '.');
  for (const pattern of url_patterns) {
    const match = pattern.exec(folded);
    if (match !== null) return `holds a URL, which is not allowed: ${quoteAround(folded, match)}`;
  }
  return undefined;
}

// The whole word around the find, because "://" alone would tell its author little.
function quoteAround(text: string, match: RegExpExecArray): string {
  const before = /\S*$/u.exec(text.slice(0, match.index))?.[0] ?? '';
  const after = /^\S*/u.exec(text.slice(match.index))?.[0] ?? '';
  const word = [...(before + after)];
  const is_cut = word.length > quoted_characters_max;
  return `“${word.slice(0, quoted_characters_max).join('')}${is_cut ? '…' : ''}”`;
}
