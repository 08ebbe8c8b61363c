import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reading } from './reading.ts';
import { checkFamily, drawTasks } from './testing/check-family.ts';

/** A fact as this reader takes it out of a sentence: a relation, what it is about, and its other end. */
type Found = { relation: string; subject: string; object: string; paragraph: number };

const name = '[A-Z][a-z]+ [A-Z][a-z]+';
const capitals = '[A-Z][A-Za-z-]*(?: [A-Z][A-Za-z]*)*';
const year = '1[79]\\d\\d|18\\d\\d';

/** Every way of telling what questions ask for, as a reader would look for it. */
const relations: [relation: string, pattern: RegExp][] = [
  ['birthplace', new RegExp(`^(?<subject>${name}) was born in (?<object>${capitals}) in`)],
  [
    'birthplace',
    new RegExp(
      `^The parish book of (?<object>${capitals}) has the birth of (?<subject>${name}) under`,
    ),
  ],
  [
    'birthplace',
    new RegExp(`^It was in (?<object>${capitals}), in \\d+, that (?<subject>${name}) was born`),
  ],
  ['birth year', new RegExp(`^(?<subject>${name}) was born in ${capitals} in (?<object>${year})`)],
  ['birth year', new RegExp(`birth of (?<subject>${name}) under the year (?<object>${year})`)],
  [
    'birth year',
    new RegExp(`^It was in ${capitals}, in (?<object>${year}), that (?<subject>${name}) was born`),
  ],
  ['street', new RegExp(`^(?<subject>${name}) lived in (?<object>${capitals}),`)],
  [
    'street',
    new RegExp(`^All grown years of (?<subject>${name}) were lived in (?<object>${capitals}),`),
  ],
  ['street', new RegExp(`^(?<object>${capitals}) is where (?<subject>${name}) lived,`)],
  ['maker', new RegExp(`^The (?<subject>${capitals}) was made by (?<object>${name}),`)],
  ['maker', new RegExp(`^(?<object>${name}) made the (?<subject>${capitals}) and`)],
  [
    'maker',
    new RegExp(`who made the (?<subject>${capitals}) is told the name of (?<object>${name})`),
  ],
  ['finished', new RegExp(`^The (?<subject>${capitals}) was finished in (?<object>${year})`)],
  [
    'finished',
    new RegExp(`^It took until (?<object>${year}) before the (?<subject>${capitals}) was finished`),
  ],
  ['finished', new RegExp(`^In (?<object>${year}) the (?<subject>${capitals}) was finished`)],
  ['stands', new RegExp(`^The (?<subject>${capitals}) stands in (?<object>${capitals}),`)],
  [
    'stands',
    new RegExp(
      `see the (?<subject>${capitals}) must go to (?<object>${capitals}), where it stands`,
    ),
  ],
  [
    'stands',
    new RegExp(`^In (?<object>${capitals}), and nowhere else, stands the (?<subject>${capitals})`),
  ],
  ['follower', new RegExp(`^In \\d+ (?<object>${name}) followed (?<subject>${name}) as`)],
  [
    'follower',
    new RegExp(`^The next [a-z ]+ after (?<subject>${name}) was (?<object>${name}), who followed`),
  ],
  [
    'follower',
    new RegExp(`^When (?<subject>${name}) gave up .* in \\d+, (?<object>${name}) followed`),
  ],
];

/** What is told of `deed`, as the place and who did it there. */
const deedPatterns = (deed: string) => [
  new RegExp(`^(?<object>${name}) ${deed} in (?<subject>${capitals}),`),
  new RegExp(`^In (?<subject>${capitals}) it was (?<object>${name}) who ${deed}`),
  new RegExp(
    `people of (?<subject>${capitals}) do not forget that (?<object>${name}) ${deed} there`,
  ),
];

function readFacts(paragraphs: readonly string[], deed: string | undefined): Found[] {
  const patterns = [
    ...relations,
    ...deedPatterns(deed ?? 'did nothing').map((one): [string, RegExp] => ['doer', one]),
  ];
  return paragraphs.flatMap((text, paragraph) =>
    text.split(/(?<=\.) /).flatMap((sentence) =>
      patterns.flatMap(([relation, pattern]) => {
        const { subject = '', object = '' } = pattern.exec(sentence)?.groups ?? {};
        return subject === '' ? [] : [{ relation, subject, object, paragraph }];
      }),
    ),
  );
}

/** How a question is walked: from what it names, over one relation after the other. */
const questions: [pattern: RegExp, path: readonly string[]][] = [
  [
    new RegExp(`^Who (?<deed>.+) in the place where (?<start>${name}) was born\\?`),
    ['birthplace', 'doer'],
  ],
  [/^The (?<start>.+) stands in some place\. Who (?<deed>.+) there\?/, ['stands', 'doer']],
  [
    /^Name the street where the person lived who made the (?<start>.+)\. Answer/,
    ['maker', 'street'],
  ],
  [/^In which year was the person born who made the (?<start>.+)\?/, ['maker', 'birth year']],
  [
    new RegExp(`^In which place was the person born who followed (?<start>${name}) as`),
    ['follower', 'birthplace'],
  ],
  [
    new RegExp(`^(?<start>${name}) was followed as .* In which year was that work finished\\?`),
    ['follower', 'work', 'finished'],
  ],
  [
    /^Whoever made the (?<start>.+) was followed by another as .* did that follower live\?/,
    ['maker', 'follower', 'street'],
  ],
];

function parse(prompt: string) {
  const [opening = '', ...rest] = prompt.split('\n\n');
  const question = (rest.pop() ?? '').replace(/^Question: /, '');
  const fitting = questions.flatMap(([pattern, path]) => {
    const { start, deed } = pattern.exec(question)?.groups ?? {};
    return start === undefined ? [] : [{ start, deed, path }];
  });
  const [asked] = fitting;
  assert.ok(asked && fitting.length === 1, question);
  return { opening, paragraphs: rest, question, ...asked };
}

/** Walks from fact to fact; nothing where one is missing. Each step has exactly one fact to take. */
function walk(
  prompt: string,
  without?: number,
): { answer: string; paragraphs: number[] } | undefined {
  const { paragraphs, start, deed, path } = parse(prompt);
  const kept = paragraphs.map((text, at) => (at === without ? '' : text));
  const facts = readFacts(kept, deed);
  const used: number[] = [];
  let here = start;
  for (const relation of path) {
    const isWork = relation === 'work';
    const steps = facts.filter((fact) =>
      isWork
        ? fact.relation === 'maker' && fact.object === here
        : fact.relation === relation && fact.subject === here,
    );
    if (steps.length === 0) return undefined;
    assert.equal(steps.length, 1, `${relation} of ${here}`);
    here = steps.map(({ subject, object }) => (isWork ? subject : object)).join();
    used.push(...steps.map(({ paragraph }) => paragraph));
  }
  return { answer: here, paragraphs: used };
}

describe('reading', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(reading, (prompt) => {
      const { opening, path } = parse(prompt);
      return { answer: walk(prompt)?.answer ?? '', wording: `${opening.slice(0, 12)} ${path}` };
    });
  });

  it('shows a document of 1,800 to 2,200 words in paragraphs [BAR-050]', () => {
    for (const size of ['full', 'small'] as const) {
      for (const { prompt } of drawTasks(reading, size)) {
        const { paragraphs } = parse(prompt);
        const words = paragraphs.join(' ').split(' ').length;
        assert.ok(words >= 1800 && words <= 2200, `${words}`);
        assert.equal(paragraphs.length, 24);
        for (const paragraph of paragraphs) assert.match(paragraph, /^[A-Z].{150,}\.$/);
      }
    }
  });

  it('asks for facts that stand far apart, and cannot be answered without any of them [BAR-050]', () => {
    const lengths = new Set<number>();
    for (const { prompt, answer } of drawTasks(reading, 'full').slice(0, 300)) {
      const used = walk(prompt)?.paragraphs ?? [];
      lengths.add(used.length);
      const sorted = used.toSorted((one, other) => one - other);
      for (const [at, paragraph] of sorted.entries()) {
        assert.equal(walk(prompt, paragraph), undefined, prompt);
        if (at > 0) assert.ok(paragraph - (sorted[at - 1] ?? 0) >= 6, `${sorted}`);
      }
      assert.ok(!parse(prompt).question.includes(answer), prompt);
    }
    assert.deepEqual([...lengths].toSorted(), [2, 3]);
  });

  it('tells every fact once, of 12 people, 8 places and 10 works from 1700 to 1990', () => {
    for (const { prompt } of drawTasks(reading, 'full').slice(0, 300)) {
      const { paragraphs, deed } = parse(prompt);
      const facts = readFacts(paragraphs, deed);
      const told = facts.map(({ relation, subject }) => `${relation} of ${subject}`);
      assert.equal(new Set(told).size, told.length);
      const count = (relation: string) => facts.filter((one) => one.relation === relation).length;
      assert.deepEqual(
        ['birthplace', 'birth year', 'street', 'maker', 'finished', 'stands', 'follower'].map(
          count,
        ),
        [12, 12, 12, 10, 10, 10, 9],
      );
      assert.equal(count('doer'), deed === undefined ? 0 : 8);
      const sentences = paragraphs.join(' ').split(/(?<=\.) /);
      assert.equal(new Set(sentences).size, sentences.length);
      for (const [number] of paragraphs.join(' ').matchAll(/\d+/g)) {
        assert.ok(Number(number) >= 1700 && Number(number) <= 1990, number);
      }
    }
  });
});
