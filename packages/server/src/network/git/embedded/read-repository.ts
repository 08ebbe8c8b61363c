import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokenRepositoryError, type GitFile, GitUnavailableError } from '../git-host.ts';
import type { GitProgram } from './git-program.ts';
import { findEntry, readLooseObject } from './loose-objects.ts';

const commit_id = /^[0-9a-f]{40}$/;
const tree_octets_max = 1_048_576;
const line_octets_max = 65_536;

const codeOf = (error: unknown) => (error as { code?: string }).code;

/** A file of a repository; undefined if there is none, such as where a folder holds branches like `main/draft`. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EISDIR') return undefined;
    throw new GitUnavailableError(`a repository cannot be read: ${codeOf(error)}`);
  }
}

/** Whether something stands at this path. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new GitUnavailableError(`a repository cannot be read: ${codeOf(error)}`);
  }
}

/** The commit of `main` in the repository at `path`. */
export async function readTip(path: string): Promise<string | undefined> {
  const loose = await readIfThere(join(path, 'refs/heads/main'));
  const packed = loose === undefined ? await readIfThere(join(path, 'packed-refs')) : undefined;
  const tip =
    loose?.trimEnd() ?? /^([0-9a-f]+) refs\/heads\/main$/m.exec(packed ?? '')?.[1] ?? undefined;
  if (tip === undefined || commit_id.test(tip)) return tip;
  throw new BrokenRepositoryError('main is no commit');
}

type Wanted = { readonly commit: string; readonly path: string; readonly octets_max: number };

/**
 * A file of a commit. Its objects are read from their own files, as those of starter cards are; if one of
 * them has none, git is asked.
 */
export async function readCommitted(
  git: GitProgram,
  repository: string,
  wanted: Wanted,
): Promise<GitFile | undefined> {
  try {
    const found = await readLoose(repository, wanted);
    return found === 'packed' ? await askGit(git, repository, wanted) : found;
  } catch (error) {
    if (error instanceof GitUnavailableError) throw error;
    throw new BrokenRepositoryError(`a file cannot be read: ${codeOf(error)}`);
  }
}

const isFile = (mode: string) => mode.startsWith('100');

async function readLoose(
  repository: string,
  { commit, path, octets_max }: Wanted,
): Promise<GitFile | undefined | 'packed'> {
  const root = await readLooseObject(repository, commit, line_octets_max);
  if (!root || root === 'too_large') return 'packed';
  let id = /^tree ([0-9a-f]{40})$/m.exec(root.octets.toString('latin1'))?.[1];
  let mode = '40000';
  for (const name of path.split('/')) {
    // What lies beneath a file or a link is not there.
    if (mode !== '40000' || id === undefined) return undefined;
    const tree = await readLooseObject(repository, id, tree_octets_max);
    if (!tree || tree === 'too_large') return 'packed';
    const entry = findEntry(tree.octets, name);
    if (!entry) return undefined;
    ({ mode, id } = entry);
  }
  if (!isFile(mode) || id === undefined) return { fault: 'not_a_file' };
  const blob = await readLooseObject(repository, id, octets_max);
  if (!blob) return 'packed';
  return blob === 'too_large' ? { fault: 'too_large' } : { octets: blob.octets };
}

async function askGit(
  git: GitProgram,
  repository: string,
  { commit, path, octets_max }: Wanted,
): Promise<GitFile | undefined> {
  const at = `--git-dir=${repository}`;
  const listed = await git.run({
    args: [at, 'ls-tree', '-l', '-z', '--full-tree', commit, '--', path],
    octets_max: line_octets_max,
  });
  const [first = ''] = (listed?.toString('utf8') ?? '').split('\0');
  const name_at = first.indexOf('\t') + 1;
  // Of what lies beneath a file, git names the file.
  if (first.slice(name_at) !== path) return undefined;
  const [mode = '', , id = '', octets] = first.slice(0, name_at).trim().split(/ +/);
  if (!isFile(mode)) return { fault: 'not_a_file' };
  if (Number(octets) > octets_max) return { fault: 'too_large' };
  const blob = await git.run({ args: [at, 'cat-file', 'blob', id], octets_max });
  return blob ? { octets: blob } : { fault: 'too_large' };
}
