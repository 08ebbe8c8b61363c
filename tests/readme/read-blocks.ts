import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository_root = join(import.meta.dirname, '../..');

/** The README as it is. */
export const readme = readFileSync(join(repository_root, 'README.md'), 'utf8');

/** A fenced block: what follows the fence, such as `sh`, and what is in it. */
export type Block = { readonly language: string; readonly text: string };

/** The fenced blocks of the README under the heading `title`, down to the next of its kind. */
export function blocksUnder(title: string): Block[] {
  const [, section = ''] = readme.split(`\n## ${title}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}
