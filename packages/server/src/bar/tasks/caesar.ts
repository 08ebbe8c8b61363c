import type { Random } from '../../random.ts';
import { plain_words } from './data/words.ts';
import { between, pick, sample, toss } from './draw.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Messages in an alphabet that was turned, to be read or written. */
export const caesar: TaskFamily = { name: 'caesar', weight: 'light', make };

const letters_alone = 'After z comes a again.';
const letters_and_digits =
  'After z comes a again; digits move by the same number in a ring of their own, 0 following 9.';
const format = 'Answer in lowercase, with single spaces between the words.';

type Wording = (message: string, shift: number, ring: string) => string;

const decodings: readonly Wording[] = [
  (message, shift, ring) =>
    `Decode this message, in which each letter was moved ${places(shift)} forward in the alphabet. ${ring}\n${message}\n${format}`,
  (message, shift, ring) =>
    `A note was written with the alphabet turned: its writer moved every letter ${places(shift)} forward. ${ring} The note reads:\n${message}\nWhat did it say before? ${format}`,
  (message, shift, ring) =>
    `This came over the wire:\n${message}\nThe sender had moved each letter ${places(shift)} forward in the alphabet; move it back. ${ring} ${format}`,
];

const encodings: readonly Wording[] = [
  (message, shift, ring) =>
    `Encode the following with a shift of ${shift}: every letter moves ${places(shift)} forward in the alphabet. ${ring}\n${message}\n${format}`,
  (message, shift, ring) =>
    `Hide this text from the barman by moving each letter ${places(shift)} forward in the alphabet. ${ring}\n${message}\nWhat do you write down? ${format}`,
];

function make(random: Random, size: Size): Task {
  const words = sample(random, plain_words, between(random, 4, size === 'small' ? 5 : 8));
  const has_digits = toss(random);
  if (has_digits) words.splice(random.below(words.length), 0, `${between(random, 10, 9999)}`);
  const ring = has_digits ? letters_and_digits : letters_alone;
  const shift = between(random, 1, 25);
  const plain = words.join(' ');
  const turned = plain.replace(/[a-z0-9]/g, (sign) => turn(sign, shift));
  const decodes = toss(random);
  return decodes
    ? { prompt: pick(random, decodings)(turned, shift, ring), checking: 'text', answer: plain }
    : { prompt: pick(random, encodings)(plain, shift, ring), checking: 'text', answer: turned };
}

function turn(sign: string, shift: number): string {
  const ring = /\d/.test(sign) ? '0123456789' : 'abcdefghijklmnopqrstuvwxyz';
  return ring.charAt((ring.indexOf(sign) + shift) % ring.length);
}

function places(shift: number): string {
  return shift === 1 ? '1 place' : `${shift} places`;
}
