import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nadsat } from './nadsat.ts';
import { checkFamily, drawTasks, type Reader, solverOf } from './testing/check-family.ts';

/** What a hand can hold, by common sense. */
const graspable = new Set(
  `button coin key knife spoon cup egg apple lemon walnut acorn candle cork feather pebble plate
   thimble needle scissors saucer pencil envelope teapot`.split(/\s+/),
);

function readGlossary(text: string): Map<string, string> {
  return new Map(
    text.split(', ').map((line) => {
      const [word, meaning] = line.split(' = ');
      assert.ok(word && meaning, line);
      return [word, meaning];
    }),
  );
}

const reader = (
  wording: string,
  pattern: RegExp,
  answer: (glossary: Map<string, string>, words: string[]) => string,
): Reader => ({
  wording,
  pattern,
  answer({ listed = '', sentence = '' }) {
    const words = sentence.split(' ');
    assert.ok(words.length >= 4 && words.length <= 7);
    return answer(readGlossary(listed), words);
  },
});

const toEnglish = (glossary: Map<string, string>, words: string[]) =>
  words.map((word) => glossary.get(word)).join(' ');

const solve = solverOf([
  reader(
    'into English',
    /^Put this into .*: "(?<sentence>[a-z ]+)"\. (?:Glossary \(.*\)|Here the words mean): (?<listed>[a-z=, ]+)\. Answer/,
    toEnglish,
  ),
  reader(
    'stranger',
    /^(?:Glossary \(.*\)|Here the words mean): (?<listed>[a-z=, ]+)\.\nA stranger .*: "(?<sentence>[a-z ]+)"\. What/,
    toEnglish,
  ),
  reader(
    'into Nadsat',
    /^Write "(?<sentence>[a-z ]+)" in the tongue.* (?:Glossary \(.*\)|Here the words mean): (?<listed>[a-z=, ]+)\. Answer/,
    (glossary, words) => {
      const back = new Map([...glossary].map(([word, meaning]) => [meaning, word]));
      assert.equal(back.size, glossary.size, 'no two words mean the same');
      return words.map((word) => back.get(word)).join(' ');
    },
  ),
  reader(
    'count',
    /^(?:Glossary \(.*\)|Here the words mean): (?<listed>[a-z=, ]+)\.\nHow many words of the sentence "(?<sentence>[a-z ]+)" mean a thing/,
    (glossary, words) => {
      const held = words.filter((word) => graspable.has(glossary.get(word) ?? ''));
      return `${held.length}`;
    },
  ),
]);

describe('nadsat', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(nadsat, solve);
  });

  it('deals the meanings anew: no word keeps one', () => {
    const meanings = new Map<string, Set<string>>();
    for (const { prompt } of drawTasks(nadsat, 'full')) {
      for (const [, word = '', meaning = ''] of prompt.matchAll(/([a-z]+) = ([a-z]+)/g)) {
        meanings.set(word, (meanings.get(word) ?? new Set()).add(meaning));
      }
    }
    for (const [word, dealt] of meanings) assert.ok(dealt.size > 10, word);
  });

  it('never prints the sentence that is asked for', () => {
    for (const { prompt, checking, answer } of drawTasks(nadsat, 'full')) {
      if (checking === 'text') assert.ok(!prompt.includes(answer), prompt);
    }
  });
});
