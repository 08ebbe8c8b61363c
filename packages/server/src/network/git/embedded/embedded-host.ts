import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '../../../random.ts';
import { type GitHost, GitUnavailableError, type NewRepository } from '../git-host.ts';
import { isTreePath } from '../is-tree-path.ts';
import { clearUnfinished } from './clear-leftovers.ts';
import { copyRepositories } from './copy-repositories.ts';
import type { GitProgram } from './git-program.ts';
import { isThere, readCommitted, readTip } from './read-repository.ts';
import type { RepositoryTurns } from './repository-turns.ts';
import {
  moveIntoPlace,
  replaceFiles,
  writeEmptyRepository,
  writeRepository,
} from './write-repository.ts';

/** The house's own git host: bare repositories in a folder, served by the system's git. */
export type EmbeddedHost = GitHost & {
  readonly kind: 'embedded';
  readonly git: GitProgram;
  readonly turns: RepositoryTurns;
  /** Where the repository of a handle lies, or would lie. */
  pathOf(handle: string): string;
  /** A folder beside it for one that is being made. */
  newPathOf(handle: string): string;
  /** Where a repository lies in which there is nothing, to be shown in place of one that is not there yet. */
  emptyPath(): Promise<string>;
  /** Whether there is a repository, be it an empty one. */
  has(handle: string): Promise<boolean>;
  /** Commits other files if the branch `main` has exactly the files `before`; answers whether it had. */
  replaceFiles(made: NewRepository, before: NewRepository['files']): Promise<boolean>;
  /** Removes what processes that died have left of repositories in the making. */
  clearUnfinished(): Promise<void>;
  /** Copies all repositories into a folder, which must not exist. */
  copyTo(path: string): Promise<void>;
};

export function openEmbeddedHost(given: {
  folder: string;
  git: GitProgram;
  turns: RepositoryTurns;
  random: Random;
}): EmbeddedHost {
  const { folder, git, turns, random } = given;
  // @NOTE Handles are of `[a-z0-9-]` alone, so no path leaves the folder.
  const pathOf = (handle: string) => join(folder, handle, '.profile.git');
  const newPathOf = (handle: string) =>
    join(folder, handle, `.new-${random.bytes(9).toString('hex')}`);
  let is_folder_made = false;

  /** Made once; when it has gone since, the host is down. */
  async function needFolder(): Promise<void> {
    if (!is_folder_made) await mkdir(folder, { recursive: true, mode: 0o700 });
    else if (!(await isThere(folder))) {
      throw new GitUnavailableError('the folder of repositories is gone');
    }
    is_folder_made = true;
  }

  async function reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GitUnavailableError) throw error;
      const { code } = error as { code?: string };
      throw new GitUnavailableError(`the folder of repositories does not answer: ${code}`);
    }
  }

  return {
    kind: 'embedded',
    git,
    turns,
    pathOf,
    newPathOf,
    isServing: () => git.exists(),
    emptyPath: () =>
      reach(async () => {
        await needFolder();
        const path = join(folder, '.empty.git');
        if (await isThere(path)) return path;
        const new_path = join(folder, `.new-${random.bytes(9).toString('hex')}`);
        await writeEmptyRepository(new_path);
        await moveIntoPlace(new_path, path);
        return path;
      }),
    has: (handle) =>
      reach(async () => {
        await needFolder();
        return isThere(pathOf(handle));
      }),
    provision: (made) =>
      reach(async () => {
        await needFolder();
        const path = pathOf(made.handle);
        if (await isThere(path)) return { created: false, git_user_id: null };
        const new_path = newPathOf(made.handle);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeRepository(new_path, made);
        return { created: await moveIntoPlace(new_path, path), git_user_id: null };
      }),
    findTip: ({ handle }) =>
      reach(async () => {
        const tip = await readTip(pathOf(handle));
        if (tip === undefined) await needFolder();
        return tip;
      }),
    readFile: async ({ handle }, file) =>
      isTreePath(file.path) ? reach(() => readCommitted(git, pathOf(handle), file)) : undefined,
    isTaken: async () => false,
    replaceFiles: (made, before) => {
      const path = pathOf(made.handle);
      return reach(() => turns.inTurn(made.handle, () => replaceFiles(path, made, before)));
    },
    clearUnfinished: () => reach(() => clearUnfinished(folder, turns.turn_ms_max)),
    copyTo: (path) => copyRepositories(turns, { from: folder, to: path }),
  };
}
