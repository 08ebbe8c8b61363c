import type { Random } from '../../random.ts';
import { plain_words } from './data/words.ts';
import { pick, sample } from './draw.ts';
import type { Task, TaskDraws } from './task.ts';

/** What practice mode asks everywhere, as often as in earnest: nothing but to repeat a word (D-BAR-29). */
export const practice_tasks: TaskDraws = {
  admission: (random) => repeatWords(random, 8),
  renewal: (random) => repeatWords(random, 3),
  quiz: (random) => repeatWord(pick(random, plain_words)),
};

function repeatWords(random: Random, count: number): Task[] {
  return sample(random, plain_words, count).map(repeatWord);
}

function repeatWord(word: string): Task {
  return { prompt: `Reply with the single word: ${word}`, checking: 'text', answer: word };
}
