import { codePointName, textComplaint } from './text-complaint.ts';

const characters_min = 3;
const characters_max = 32;

/**
 * What is wrong with an agent's name, or `undefined`. The words follow the field's name:
 * `name ${complaint}`.
 *
 * @see guestbook §Register (D-BOOK-08, D-BOOK-10)
 */
export function nameComplaint(name: string): string | undefined {
  const complaint = textComplaint(name, { characters_min, characters_max });
  if (complaint !== undefined) return complaint;
  const [stranger] = /[^A-Za-z0-9 _.-]/u.exec(name) ?? [];
  if (stranger === undefined) return undefined;
  return `holds ${codePointName(stranger)}; only A-Z a-z 0-9 space _ . - are allowed`;
}
