import type { Random } from '../../random.ts';
import { given_names } from './data/names.ts';
import { between, drawUntil, pick } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Word problems that mix units; the result is whole in the unit asked for. */
export const units: TaskFamily = { name: 'units', weight: 'light', make };

type Problem = { readonly text: string; readonly unit: string; readonly result: number };

function make(random: Random, size: Size): Task {
  // Quantities above nothing only: what is left over may not be owed.
  const problem = drawUntil(() => {
    const drawn = pick(random, problems)(random, size === 'small' ? 1 : 4);
    return drawn.result > 0 ? drawn : undefined;
  });
  return {
    prompt: `${problem.text} Answer with the number of ${problem.unit}, digits only.`,
    checking: 'integer',
    answer: `${problem.result}`,
  };
}

/** `scale` widens the range of the larger quantities. */
const problems: readonly ((random: Random, scale: number) => Problem)[] = [
  fillTank,
  travel,
  cookRecipe,
  cutRope,
  runKiln,
  loadCart,
];

function fillTank(random: Random, scale: number): Problem {
  const name = pick(random, given_names);
  const flow_ml = between(random, 11, 190);
  const minutes = between(random, 2, 15 * scale);
  const seconds = between(random, 1, 59);
  const litres = between(random, 2, 99 * scale);
  const poured = flow_ml * (60 * minutes + seconds);
  const vessel = pick(random, ['tank', 'cask', 'trough', 'cistern']);
  return {
    text: `${name} fills an empty ${vessel} through a hose that gives ${flow_ml} ml each second. The hose runs for ${minutes} min ${seconds} s; after that ${litres} l are poured in by hand. How many ml does the ${vessel} hold now?`,
    unit: 'ml',
    result: poured + 1000 * litres,
  };
}

function travel(random: Random, scale: number): Problem {
  const name = pick(random, given_names);
  const km = between(random, 1, 9);
  const metres = between(random, 10, 990);
  const speed_kmh = between(random, 12, 60 + 30 * scale);
  // Three minutes at any whole speed are a whole number of metres: 50 for each km/h.
  const minutes = 3 * between(random, 3, 25 * scale);
  const vehicle = pick(random, ['a train', 'an express', 'a night train', 'a motor coach']);
  return {
    text: `${name} walks ${km} km ${metres} m to the station and then takes ${vehicle} that goes steadily at ${speed_kmh} km/h for ${minutes} min. How many m is the whole journey?`,
    unit: 'm',
    result: 1000 * km + metres + (speed_kmh * minutes * 1000) / 60,
  };
}

function cookRecipe(random: Random, scale: number): Problem {
  const name = pick(random, given_names);
  const people = between(random, 2, 9);
  const each_g = between(random, 21, 180);
  const guests = between(random, 10, 40 * scale);
  const bag_kg = between(random, 2, 15 * scale);
  const bag_g = between(random, 10, 990);
  const food = pick(random, ['flour', 'rice', 'barley', 'lentils', 'oats']);
  return {
    text: `A recipe for ${people} people takes ${people * each_g} g of ${food}. ${name} cooks it for ${guests} people, in proportion, out of a sack of ${bag_kg} kg ${bag_g} g. How many g of ${food} are left in the sack?`,
    unit: 'g',
    result: 1000 * bag_kg + bag_g - guests * each_g,
  };
}

function cutRope(random: Random, scale: number): Problem {
  const name = pick(random, given_names);
  const metres = between(random, 12, 99 * scale);
  const centimetres = between(random, 1, 99);
  const pieces = between(random, 3, 19);
  const piece_m = between(random, 1, 3);
  const piece_cm = between(random, 1, 99);
  const material = pick(random, ['rope', 'cable', 'ribbon', 'copper wire']);
  return {
    text: `From ${metres} m ${centimetres} cm of ${material} ${name} cuts ${pieces} pieces of ${piece_m} m ${piece_cm} cm each. How many cm of ${material} remain?`,
    unit: 'cm',
    result: 100 * metres + centimetres - pieces * (100 * piece_m + piece_cm),
  };
}

function runKiln(random: Random, scale: number): Problem {
  const name = pick(random, given_names);
  const firings = between(random, 2, 9 * scale);
  const minutes = between(random, 2, 58);
  const seconds = between(random, 1, 59);
  const hours = between(random, 1, 9);
  const rest_minutes = between(random, 1, 59);
  const machine = pick(random, ['kiln', 'mill', 'press', 'loom']);
  return {
    text: `${name} runs the ${machine} ${firings} times for ${minutes} min ${seconds} s each; in all it also stands still for ${hours} h ${rest_minutes} min. How many s is that altogether?`,
    unit: 's',
    result: firings * (60 * minutes + seconds) + 60 * (60 * hours + rest_minutes),
  };
}

function loadCart(random: Random, scale: number): Problem {
  const name = pick(random, given_names);
  const crates = between(random, 2, 9 * scale);
  const crate_kg = between(random, 1, 24);
  const crate_g = between(random, 10, 990);
  const lighter_g = between(random, 100, 900);
  const cart_kg = between(random, 11, 90 * scale);
  const goods = pick(random, ['apples', 'nails', 'books', 'tiles', 'candles']);
  return {
    text: `A cart of ${cart_kg} kg carries ${crates} crates of ${goods}, each of ${crate_kg} kg ${crate_g} g. ${name} then takes ${lighter_g} g of ${goods} off. How many g do cart and load weigh together now?`,
    unit: 'g',
    result: 1000 * cart_kg + crates * (1000 * crate_kg + crate_g) - lighter_g,
  };
}
