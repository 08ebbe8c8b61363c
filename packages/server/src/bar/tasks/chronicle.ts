import type { Random } from '../../random.ts';
import { fact_details, fact_sentences } from './data/chronicle-facts.ts';
import {
  deeds,
  epithets,
  offices,
  rivers,
  streets,
  towns,
  villages,
  work_kinds,
} from './data/chronicle-names.ts';
import { family_names, given_names } from './data/names.ts';
import { between, pick, sample, shuffle } from './draw.ts';

type FactKind = keyof typeof fact_sentences;

/** One thing that a chronicle tells, once. A question needs facts by their kind and subject. */
export type Fact = {
  readonly kind: FactKind;
  /** Whom or what the fact is about: a person, a work, or for a deed the village. */
  readonly subject: string;
  readonly sentence: string;
};

export type Person = {
  readonly name: string;
  readonly born: number;
  readonly birthplace: string;
  readonly street: string;
};

export type Work = {
  readonly name: string;
  readonly maker: Person;
  readonly finished: number;
  readonly place: string;
};

/** That one person followed another in an office. */
export type Succession = {
  readonly office: string;
  readonly before: Person;
  readonly after: Person;
};

/** A made-up town with everything there is to know about it. */
export type Town = {
  readonly name: string;
  readonly river: string;
  readonly people: readonly Person[];
  readonly works: readonly Work[];
  readonly successions: readonly Succession[];
  /** What somebody was the first to do in each village. */
  readonly deed: string;
  readonly doers: readonly { readonly place: string; readonly person: Person }[];
  readonly facts: readonly Fact[];
};

const people_count = 12;
const places_count = 8;
const works_count = 10;
/** People whose lives follow one another share an office: three offices with four holders each. */
const holders_count = 4;
const first_year = 1700;
const last_year = 1990;

/** Draws a town: 12 people, 8 villages and 10 works between 1700 and 1990, and all its facts. */
export function drawTown(random: Random): Town {
  const places = sample(random, villages, places_count);
  const homes = sample(random, streets, people_count + 6);
  const family = sample(random, family_names, people_count);
  const people = sample(random, given_names, people_count).map((given, at): Person => {
    return {
      name: `${given} ${family[at]}`,
      born: first_year + at * 19 + random.below(12),
      birthplace: pick(random, places),
      street: homes[at] ?? '',
    };
  });
  const kinds = sample(random, work_kinds, works_count);
  const words = sample(random, epithets, works_count);
  const works = sample(random, people, works_count).map((maker, at): Work => {
    return {
      name: `${words[at]} ${kinds[at]}`,
      maker,
      finished: maker.born + between(random, 24, 60),
      place: pick(random, places),
    };
  });
  const titles = sample(random, offices, people_count / holders_count);
  const successions = people.slice(1).flatMap((after, at): Succession[] => {
    const [before, office] = [people[at], titles[Math.floor(at / holders_count)]];
    const is_first = (at + 1) % holders_count === 0;
    return before === undefined || office === undefined || is_first
      ? []
      : [{ office, before, after }];
  });
  const deed = pick(random, deeds);
  const doers = sample(random, people, places_count).map((person, at) => {
    return { place: places[at] ?? '', person };
  });
  const town = {
    name: pick(random, towns),
    river: pick(random, rivers),
    people,
    works,
    successions,
    deed,
    doers,
  };
  const rented = homes.slice(people_count);
  return {
    ...town,
    facts: [...tellFacts(random, town), ...distract(random, town, places, rented)],
  };
}

/** What questions are about. */
function tellFacts(random: Random, town: Omit<Town, 'facts'>): Fact[] {
  const tell = teller(random);
  return [
    ...town.people.flatMap(({ name, born, birthplace, street }) => [
      tell('born', name, { person: name, place: birthplace, year: born }),
      tell('lived', name, { person: name, street }),
    ]),
    ...town.works.flatMap(({ name, maker, finished, place }) => [
      tell('made', name, { work: name, person: maker.name }),
      tell('finished', name, { work: name, year: finished }),
      tell('stands', name, { work: name, place }),
    ]),
    ...town.successions.map(({ office, before, after }) =>
      tell('followed', before.name, {
        office,
        person: before.name,
        successor: after.name,
        year: after.born + between(random, 25, 38),
      }),
    ),
    ...town.doers.map(({ place, person }) =>
      tell('deed', place, { place, person: person.name, deed: town.deed }),
    ),
  ];
}

/** What no question is about, but names the same people, works, places and streets. */
function distract(
  random: Random,
  town: Omit<Town, 'facts'>,
  places: readonly string[],
  rented: readonly string[],
): Fact[] {
  const tell = teller(random);
  const other = <Item>(items: readonly Item[], than: Item) =>
    pick(
      random,
      items.filter((item) => item !== than),
    );
  return [
    ...town.works.flatMap(({ name, maker, finished }) => [
      tell('begun', name, { work: name, year: finished - between(random, 2, 9) }),
      tell('mended', name, {
        work: name,
        year: Math.min(last_year, finished + between(random, 3, 40)),
      }),
      tell('praised', name, { work: name, person: other(town.people, maker).name }),
    ]),
    ...town.people.map(({ name, born, birthplace }) =>
      tell('stayed', name, {
        person: name,
        place: other(places, birthplace),
        year: born + between(random, 18, 60),
      }),
    ),
    ...sample(random, town.people, rented.length).map(({ name }, at) =>
      tell('rented', name, { person: name, street: rented[at] ?? '' }),
    ),
  ];
}

type Teller = (kind: FactKind, subject: string, gaps: Record<string, string | number>) => Fact;

/** Tells facts in sentences, with details that are used up before one comes again. */
function teller(random: Random): Teller {
  const details = new Map<string, string[]>();
  const drawDetail = (name: keyof typeof fact_details) => {
    const left = details.get(name) ?? [];
    if (left.length === 0) left.push(...shuffle<string>(random, fact_details[name]));
    details.set(name, left);
    return left.pop() ?? '';
  };
  return (kind, subject, gaps) => {
    const sentence = pick<string>(random, fact_sentences[kind]);
    const told = fillGaps(sentence, (gap) =>
      gap in fact_details ? drawDetail(gap as keyof typeof fact_details) : `${gaps[gap]}`,
    );
    return { kind, subject, sentence: told };
  };
}

/** The sentence with each `{gap}` filled. */
export function fillGaps(sentence: string, fill: (gap: string) => string): string {
  return sentence.replace(/\{(\w+)\}/g, (_, gap: string) => fill(gap));
}
