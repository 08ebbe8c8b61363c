import type { Random } from '../../random.ts';
import { categories } from './data/categories.ts';
import { pick, sample, shuffle } from './draw.ts';
import type { Task, TaskFamily } from './task.ts';

/** Five words of one kind, and one from far away. */
export const odd_one_out: TaskFamily = { name: 'odd-one-out', weight: 'light', make };

const format = 'Answer with that one word, lowercase.';

const wordings: readonly ((words: readonly string[]) => string)[] = [
  (words) => `One of these is out of place: ${words.join(', ')}. Which? ${format}`,
  (words) => `Five of the six share a kind; name the sixth. ${words.join(' | ')} ${format}`,
  (words) => `Which word does not belong in this list?\n${words.join('\n')}\n${format}`,
  (words) =>
    `The barman wrote six words on a slate and should have written only five of them: ${words.join(' - ')}. Which one is the stranger among them? ${format}`,
];

function make(random: Random): Task {
  const kind = pick(random, categories);
  const far = pick(
    random,
    categories.filter(({ realm }) => realm !== kind.realm),
  );
  const odd = pick(random, far.words);
  const words = shuffle(random, [...sample(random, kind.words, 5), odd]);
  return { prompt: pick(random, wordings)(words), checking: 'text', answer: odd };
}
