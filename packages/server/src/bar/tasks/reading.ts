import type { Random } from '../../random.ts';
import { drawTown, type Fact, fillGaps, type Town } from './chronicle.ts';
import { filler_sentences, filler_words } from './data/chronicle-fillers.ts';
import { between, drawUntil, pick, shuffle } from './draw.ts';
import type { Checking, Size, Task, TaskFamily } from './task.ts';

/** A document of about 2,000 words, and a question that takes two or three of its facts. */
export const reading: TaskFamily = { name: 'reading', weight: 'heavy', make };

const paragraphs_count = 24;
/** So many paragraphs, at least, lie between two facts that a question needs. */
const apart_min = 5;

const openings: readonly ((town: string) => string)[] = [
  (town) =>
    `Read this chronicle of ${town}. Its writer put down what people told, in no order at all. The question is at the end.`,
  (town) =>
    `Below is a history of the town of ${town}, pieced together from loose sheets. Read it, then answer the question after it; you will need more than one of its sheets.`,
  (town) =>
    `The archive of ${town} burnt down, and this is what the archivist remembered afterwards. One question about it follows the text.`,
];

function make(random: Random, size: Size): Task {
  const town = drawTown(random);
  const { text, checking, answer, needs } = drawUntil(() => pick(random, questions)(random, town));
  const sheets = drawUntil(() => {
    const drawn = deal(shuffle(random, town.facts), paragraphs_count);
    return areFarApart(drawn, needs) ? drawn : undefined;
  });
  const words = between(random, 1830, size === 'small' ? 1900 : 2120);
  const paragraphs = addFillers(random, town, { sheets, words });
  const opening = pick(random, openings)(town.name);
  const prompt = `${opening}\n\n${paragraphs.join('\n\n')}\n\nQuestion: ${text}`;
  return { prompt, checking, answer };
}

type Need = { readonly kind: Fact['kind']; readonly subject: string };
type Question = {
  readonly text: string;
  readonly checking: Checking;
  readonly answer: string;
  readonly needs: readonly Need[];
};

const name_format = 'Answer with the full name, exactly as it stands in the text.';
const place_format = 'Answer with the name of the place, exactly as it stands in the text.';
const street_format = 'Answer with the name of the street, exactly as it stands in the text.';
const year_format = 'Answer with the year, digits only.';

/** Each answers nothing where this town has no such chain of facts, or a chain that gives itself away. */
const questions: readonly ((random: Random, town: Town) => Question | undefined)[] = [
  (random, { people, doers, deed }) => {
    const { name, birthplace } = pick(random, people);
    const doer = doers.find(({ place }) => place === birthplace)?.person;
    if (doer === undefined || doer.name === name) return undefined;
    return {
      text: `Who ${deed} in the place where ${name} was born? ${name_format}`,
      checking: 'text',
      answer: doer.name,
      needs: [
        { kind: 'born', subject: name },
        { kind: 'deed', subject: birthplace },
      ],
    };
  },
  (random, { works, doers, deed }) => {
    const { name, place } = pick(random, works);
    const doer = doers.find((one) => one.place === place)?.person;
    if (doer === undefined) return undefined;
    return {
      text: `The ${name} stands in some place. Who ${deed} there? ${name_format}`,
      checking: 'text',
      answer: doer.name,
      needs: [
        { kind: 'stands', subject: name },
        { kind: 'deed', subject: place },
      ],
    };
  },
  (random, { works }) => {
    const { name, maker } = pick(random, works);
    return {
      text: `Name the street where the person lived who made the ${name}. ${street_format}`,
      checking: 'text',
      answer: maker.street,
      needs: [
        { kind: 'made', subject: name },
        { kind: 'lived', subject: maker.name },
      ],
    };
  },
  (random, { works }) => {
    const { name, maker } = pick(random, works);
    return {
      text: `In which year was the person born who made the ${name}? ${year_format}`,
      checking: 'integer',
      answer: `${maker.born}`,
      needs: [
        { kind: 'made', subject: name },
        { kind: 'born', subject: maker.name },
      ],
    };
  },
  (random, { successions }) => {
    const { office, before, after } = pick(random, successions);
    return {
      text: `In which place was the person born who followed ${before.name} as ${office}? ${place_format}`,
      checking: 'text',
      answer: after.birthplace,
      needs: [
        { kind: 'followed', subject: before.name },
        { kind: 'born', subject: after.name },
      ],
    };
  },
  (random, { successions, works }) => {
    const { office, before, after } = pick(random, successions);
    const work = works.find(({ maker }) => maker === after);
    if (work === undefined) return undefined;
    return {
      text: `${before.name} was followed as ${office} by someone who made a single work. In which year was that work finished? ${year_format}`,
      checking: 'integer',
      answer: `${work.finished}`,
      needs: [
        { kind: 'followed', subject: before.name },
        { kind: 'made', subject: work.name },
        { kind: 'finished', subject: work.name },
      ],
    };
  },
  (random, { successions, works }) => {
    const { office, before, after } = pick(random, successions);
    const work = works.find(({ maker }) => maker === before);
    if (work === undefined) return undefined;
    return {
      text: `Whoever made the ${work.name} was followed by another as ${office}. In which street did that follower live? ${street_format}`,
      checking: 'text',
      answer: after.street,
      needs: [
        { kind: 'made', subject: work.name },
        { kind: 'followed', subject: before.name },
        { kind: 'lived', subject: after.name },
      ],
    };
  },
];

/** The items dealt out like cards, so that no pile differs from another by more than one. */
function deal<Item>(items: readonly Item[], piles: number): Item[][] {
  return Array.from({ length: piles }, (_, pile) => items.filter((_, at) => at % piles === pile));
}

function areFarApart(sheets: readonly Fact[][], needs: readonly Need[]): boolean {
  const places = needs
    .map(({ kind, subject }) =>
      sheets.findIndex((facts) =>
        facts.some((fact) => fact.kind === kind && fact.subject === subject),
      ),
    )
    .sort((one, other) => one - other);
  return places.every((place, at) => at === 0 || place - (places[at - 1] ?? 0) > apart_min);
}

/** The sheets as paragraphs, with sentences about nothing between the facts until `words` are reached. */
function addFillers(
  random: Random,
  town: Town,
  given: { sheets: readonly Fact[][]; words: number },
): string[] {
  const paragraphs = given.sheets.map((facts) => facts.map(({ sentence }) => sentence));
  let missing = given.words - paragraphs.reduce((sum, one) => sum + countWords(one.join(' ')), 0);
  const fill = (gap: string) => {
    if (gap === 'town') return town.name;
    if (gap === 'river') return town.river;
    return pick<string>(random, filler_words[gap as keyof typeof filler_words]);
  };
  for (const [at, filler] of shuffle(random, filler_sentences).entries()) {
    if (missing <= 0) break;
    const sentence = fillGaps(filler, fill);
    const paragraph = paragraphs[at % paragraphs.length] ?? [];
    paragraph.splice(random.below(paragraph.length + 1), 0, sentence);
    missing -= countWords(sentence);
  }
  return paragraphs.map((sentences) => sentences.join(' '));
}

function countWords(text: string): number {
  return text.split(' ').length;
}
