import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where git puts its locks in a bare repository, and whether also in what lies beneath. */
const places = [
  { folder: '.', is_deep: false },
  { folder: 'refs', is_deep: true },
  { folder: 'objects/info', is_deep: true },
] as const;

/** No branch can be called so: git takes no name that ends in `.lock`. */
const isLock = (name: string) => /\.lock$|^gc\.pid$|^packed-refs\.new$/.test(name);

/**
 * Removes the locks that a git has left which died, such as when the power failed; each would keep all
 * pushes from its branch, or from the repository, for ever. One that is younger than `held_ms_max` may be
 * held by a git at work. To be called by who has the turn of this repository.
 */
export async function clearStaleLocks(repository: string, held_ms_max: number): Promise<void> {
  const locks: string[] = [];
  for (const { folder, is_deep } of places) {
    const path = join(repository, folder);
    const options = { recursive: is_deep, withFileTypes: true } as const;
    const files = await readdir(path, options).catch(ifThere);
    for (const file of files ?? []) {
      if (file.isFile() && isLock(file.name)) locks.push(join(file.parentPath, file.name));
    }
  }
  if (locks.length === 0) return;
  const now_ms = await diskNow(repository);
  for (const lock of locks) {
    const found = await stat(lock).catch(ifThere);
    if (found && now_ms - found.mtimeMs > held_ms_max) await rm(lock, { force: true });
  }
}

function ifThere(error: { code?: string }): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** What a repository is called that is not yet in its place. */
const isNew = (name: string) => name.startsWith('.new-');

/**
 * Removes what is left of repositories whose making was cut off when a process died, of which each may be as
 * large as a push. A younger one may be in the making.
 */
export async function clearUnfinished(folder: string, making_ms_max: number): Promise<void> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(ifThere)) ?? [];
  for (const entry of entries) {
    if (entry.isFile()) continue;
    const handle = entry.name;
    const path = isNew(handle) ? folder : join(folder, handle);
    const names = isNew(handle) ? [handle] : await readdir(path).catch(ifThere);
    for (const name of names?.filter(isNew) ?? []) {
      const found = await stat(join(path, name)).catch(ifThere);
      if (!found || (await diskNow(folder)) - found.mtimeMs <= making_ms_max) continue;
      await rm(join(path, name), { recursive: true, force: true });
    }
  }
}

/** The time by the clock that stamps the files of a folder: a disk that is shared may have another than we. */
async function diskNow(folder: string): Promise<number> {
  const path = join(folder, 'stoa-clock');
  await writeFile(path, '');
  const { mtimeMs } = await stat(path);
  await rm(path, { force: true });
  return mtimeMs;
}
