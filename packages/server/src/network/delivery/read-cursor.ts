import { readWholeNumber } from '../../read-whole-number.ts';

/** A place in a queue or an inbox, after which somebody reads. */
export type Cursor = {
  /** The place; of one that is beyond all exact numbers, some place beyond every end. */
  readonly after: number;
  /** The same as an answer says it: the very number that was sent, however long it is (D-NET-37). */
  readonly said: number;
};

const leading_zeros = /^0+(?=[0-9])/;

// @NOTE TypeScript does not know it yet; what it answers stands in JSON as the digits of its text.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/** The place that a query names, a whole number in digits; the beginning if it names none. */
export function readCursor(text = '0'): Cursor {
  const after = readWholeNumber(text);
  if (after === undefined) throw new Error('the schema let pass what is no whole number');
  const said = Number.isSafeInteger(after) ? after : rawJSON(text.replace(leading_zeros, ''));
  return { after, said };
}
