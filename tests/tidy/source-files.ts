import { globSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** A text file of the repository: its path from the root, with `/`, and what it says. */
export type SourceFile = { readonly path: string; readonly text: string };

/** A place that breaks a rule, as an editor opens it: `path:line: what is wrong`. */
export type Finding = string;

export const repository_root = join(import.meta.dirname, '../..');

const not_ours = new Set(['node_modules', '.git', 'data', 'coverage', 'package-lock.json']);
const text_name = /\.(ts|mjs|js|json|md|py|css|html|sql|grit|toml|yml)$|^(bin\/stoa|\.ci\/run)$/;

/** Every text file that is written by hand. */
export function sourceFiles(): SourceFile[] {
  return globSync('{*,.*,**/*,.ci/*}', {
    cwd: repository_root,
    withFileTypes: true,
    exclude: (entry) => not_ours.has(entry.name),
  })
    .filter((entry) => entry.isFile() && !not_ours.has(entry.name))
    .map((entry) => relative(repository_root, join(entry.parentPath, entry.name)))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => text_name.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repository_root, path), 'utf8') }));
}

/** Each match of `pattern` in a file, with its line. The pattern has the flag `g`. */
export function matchesOf(
  file: SourceFile,
  pattern: RegExp,
): { match: RegExpExecArray; line: number }[] {
  return [...file.text.matchAll(pattern)].map((match) => ({
    match,
    line: file.text.slice(0, match.index).split('\n').length,
  }));
}
