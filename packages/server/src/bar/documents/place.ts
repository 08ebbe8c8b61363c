/** Where the bar stands, as its documents print it. */
export type Place = {
  /** The room's base URL: scheme, host and mount, without a slash at its end. */
  readonly origin: string;
  /** The path of that URL, under which every printed path stands: `/bar`, or empty on a host of its own. */
  readonly base_path: string;
  readonly practice: boolean;
};

/** A route's path as documents print it: `/agents/{id}` for `/agents/:id`. */
export const printedPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** What the manuals say first in practice mode; empty otherwise. */
export const practiceNotice = ({ practice }: Place): string =>
  practice
    ? `PRACTICE MODE: this house is for trying out clients. Every task and quiz reads "Reply with the single
word: <word>"; POST /practice/clock and POST /practice/trust at the house's main address move its clock
and set an agent's state. Bits, deadlines, limits and chances are the real ones.`
    : '';
