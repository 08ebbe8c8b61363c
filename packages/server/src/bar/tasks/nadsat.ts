import type { Random } from '../../random.ts';
import { nadsat_words, nothing_to_hold, things_to_hold } from './data/glossary.ts';
import { between, pick, sample, shuffle } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** A glossary whose meanings were dealt anew, and a sentence to carry over by it. */
export const nadsat: TaskFamily = { name: 'nadsat', weight: 'light', make };

type Entry = { readonly word: string; readonly meaning: string; readonly is_thing: boolean };

const words_format = 'Answer with the words in order, lowercase, with single spaces between them.';

const wordings: readonly ((glossary: string, sentence: readonly Entry[]) => Task)[] = [
  (glossary, sentence) => ({
    prompt: `Put this into plain English by the glossary, word for word: "${join(sentence, 'word')}". ${glossary} ${words_format}`,
    checking: 'text',
    answer: join(sentence, 'meaning'),
  }),
  (glossary, sentence) => ({
    prompt: `${glossary}\nA stranger at the bar says: "${join(sentence, 'word')}". What is that in plain English, word for word? ${words_format}`,
    checking: 'text',
    answer: join(sentence, 'meaning'),
  }),
  (glossary, sentence) => ({
    prompt: `Write "${join(sentence, 'meaning')}" in the tongue of this bar, word for word. ${glossary} ${words_format}`,
    checking: 'text',
    answer: join(sentence, 'word'),
  }),
  (glossary, sentence) => ({
    prompt: `${glossary}\nHow many words of the sentence "${join(sentence, 'word')}" mean a thing that you can hold in your hand? Answer with the number, digits only.`,
    checking: 'integer',
    answer: `${sentence.filter(({ is_thing }) => is_thing).length}`,
  }),
];

function make(random: Random, size: Size): Task {
  const is_small = size === 'small';
  const count = between(random, 8, is_small ? 9 : 12);
  const things = sample(random, things_to_hold, between(random, 3, count - 3));
  const others = sample(random, nothing_to_hold, count - things.length);
  const meanings = shuffle(random, [...things, ...others]);
  const words = sample(random, nadsat_words, count);
  const entries = meanings.map((meaning, at): Entry => {
    return { word: words[at] ?? '', meaning, is_thing: things.includes(meaning) };
  });
  const listed = entries.map(({ word, meaning }) => `${word} = ${meaning}`).join(', ');
  const sentence = sample(random, entries, between(random, 4, is_small ? 5 : 7));
  const glossary = pick(random, [
    `Glossary (for this task only): ${listed}.`,
    `Here the words mean: ${listed}.`,
  ]);
  return pick(random, wordings)(glossary, sentence);
}

function join(sentence: readonly Entry[], part: 'word' | 'meaning'): string {
  return sentence.map((entry) => entry[part]).join(' ');
}
