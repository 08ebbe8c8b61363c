import { describe, it } from 'node:test';
import { checkFamily, type Reader, solverOf } from './testing/check-family.ts';
import { units } from './units.ts';

/** Every quantity in the smallest unit of its kind, summed: `2 m 5 cm` is 205. */
const sizes: Record<string, bigint> = {
  ml: 1n,
  l: 1000n,
  s: 1n,
  min: 60n,
  h: 3600n,
  cm: 1n,
  m: 100n,
  km: 100_000n,
  g: 1n,
  kg: 1000n,
};
function amount(text: string | undefined): bigint {
  return [...(text ?? '').matchAll(/(\d+) ([a-z]+)/g)].reduce(
    (sum, [, number = '', unit = '']) => sum + BigInt(number) * (sizes[unit] ?? 0n),
    0n,
  );
}
const reader = (
  wording: string,
  pattern: RegExp,
  answer: (groups: Record<string, string>) => bigint,
): Reader => ({ wording, pattern, answer: (groups) => `${answer(groups)}` });

const solve = solverOf([
  reader(
    'tank',
    /gives (?<flow>\d+ ml) each second\. The hose runs for (?<time>[^;]+); after that (?<more>\d+ l) are poured .* with the number of ml, digits only\.$/,
    ({ flow, time, more }) => amount(flow) * amount(time) + amount(more),
  ),
  reader(
    'travel',
    /walks (?<walk>\d+ km \d+ m) to .* at (?<speed>\d+) km\/h for (?<time>\d+ min)\. .* with the number of m, digits only\.$/,
    ({ walk, speed, time }) => {
      // Centimetres in all; km/h times seconds over 3,600 is km.
      const ride = (BigInt(speed ?? '') * 100_000n * amount(time)) / 3600n;
      return (amount(walk) + ride) / 100n;
    },
  ),
  reader(
    'recipe',
    /for (?<people>\d+) people takes (?<food>\d+ g) of .* cooks it for (?<guests>\d+) people, in proportion, out of a sack of (?<sack>\d+ kg \d+ g)\. How many g .* are left/,
    ({ people, food, guests, sack }) =>
      amount(sack) - (amount(food) * BigInt(guests ?? '')) / BigInt(people ?? ''),
  ),
  reader(
    'rope',
    /^From (?<whole>\d+ m \d+ cm) of .* cuts (?<pieces>\d+) pieces of (?<piece>\d+ m \d+ cm) each\. How many cm/,
    ({ whole, pieces, piece }) => amount(whole) - BigInt(pieces ?? '') * amount(piece),
  ),
  reader(
    'kiln',
    / (?<firings>\d+) times for (?<firing>\d+ min \d+ s) each; in all it also stands still for (?<rest>\d+ h \d+ min)\. How many s /,
    ({ firings, firing, rest }) => BigInt(firings ?? '') * amount(firing) + amount(rest),
  ),
  reader(
    'cart',
    /^A cart of (?<cart>\d+ kg) carries (?<crates>\d+) crates of [a-z]+, each of (?<crate>\d+ kg \d+ g)\. .* takes (?<less>\d+ g) of .* How many g /,
    ({ cart, crates, crate, less }) =>
      amount(cart) + BigInt(crates ?? '') * amount(crate) - amount(less),
  ),
]);

describe('units', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(units, solve);
  });
});
