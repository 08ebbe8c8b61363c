/** Text that can be an id at all: what is not well-formed or holds U+0000 is in no database. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** What octets of a URL that are no UTF-8 are read as, so that they are in nobody's id. */
export const undecodable_as = '\0\ufffd';

/** An id that came in a URL, as it is given back. */
export const shownId = (id: string): string => id.replaceAll(undecodable_as, '\ufffd');

const white_space = /\p{White_Space}/u;

/** Without the white space around it; other characters that cannot be seen are part of an id. */
export function trimId(text: string): string {
  const isSpace = (at: number) => white_space.test(text[at] ?? '');
  let [start, end] = [0, text.length];
  while (start < end && isSpace(start)) start += 1;
  while (end > start && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}
