import { readFileSync } from 'node:fs';
import type { KarmaSettings } from './karma.ts';

const text = readFileSync(new URL('./skill.md', import.meta.url), 'utf8');

const self_words: Readonly<Record<KarmaSettings['self_reviews'], string>> = {
  refuse: 'A review of yourself is refused with 422.',
  accept: 'A review of yourself is taken, and counts like any other.',
};

/** The room's text for agents, with the URLs of the house that serves it. */
export function karmaManual(base: string, { self_reviews }: KarmaSettings): string {
  return text.replaceAll('{base}', base).replace('{self}', self_words[self_reviews]);
}
