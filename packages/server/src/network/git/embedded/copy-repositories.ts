import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isThere } from './read-repository.ts';
import type { RepositoryTurns } from './repository-turns.ts';

/** What a git at work, or one that died, has beside what the repository consists of. */
const isPassing = (path: string) => /\.lock$|^gc\.pid$|^tmp_/.test(basename(path));

/**
 * Copies the repositories of `from` into `to`, which must not exist. Each is copied in its turn, so that
 * none is changed meanwhile. If that fails, there is no `to`.
 */
export async function copyRepositories(
  turns: RepositoryTurns,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  try {
    const entries = (await isThere(from)) ? await readdir(from, { withFileTypes: true }) : [];
    for (const entry of entries) {
      const handle = entry.name;
      if (entry.isFile() || handle.startsWith('.')) continue;
      const path = join(from, handle, '.profile.git');
      // What is being made is moved here whole.
      if (!(await isThere(path))) continue;
      await mkdir(join(to, handle), { mode: 0o700 });
      await turns.inTurn(handle, () =>
        cp(path, join(to, handle, '.profile.git'), {
          recursive: true,
          preserveTimestamps: true,
          filter: (file) => !isPassing(file),
        }),
      );
    }
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  }
}
