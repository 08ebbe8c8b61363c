import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NewRepository } from '../git-host.ts';
import { encodeObject, objectPath, readLooseObject } from './loose-objects.ts';
import { readTip } from './read-repository.ts';

const head = 'ref: refs/heads/main\n';
const config = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

/** Makes the folder of a bare repository in which there is nothing yet. */
export async function writeEmptyRepository(path: string): Promise<void> {
  await mkdir(join(path, 'objects'), { recursive: true, mode: 0o700 });
  await mkdir(join(path, 'refs/heads'), { recursive: true, mode: 0o700 });
  await writeDurably(join(path, 'HEAD'), head);
  await writeDurably(join(path, 'config'), config);
}

/** Makes a bare repository whose branch `main` has one commit with these files. */
export async function writeRepository(path: string, made: NewRepository): Promise<void> {
  await writeEmptyRepository(path);
  const commit = await writeCommit(path, made, 'Starter card');
  await writeDurably(join(path, 'refs/heads/main'), `${commit}\n`);
}

/** The objects of a tree with these files and nothing else, the tree the last of them. */
function encodeTree(files: NewRepository['files']) {
  const blobs: ReturnType<typeof encodeObject>[] = [];
  const entries: Buffer[] = [];
  for (const name of Object.keys(files).sort()) {
    const blob = encodeObject({ type: 'blob', octets: Buffer.from(files[name] ?? '') });
    blobs.push(blob);
    entries.push(Buffer.from(`100644 ${name}\0`), Buffer.from(blob.id, 'hex'));
  }
  return { blobs, tree: encodeObject({ type: 'tree', octets: Buffer.concat(entries) }) };
}

/** Writes a commit with these files and answers its id. */
async function writeCommit(
  path: string,
  { handle, email, files, committed_at_s }: NewRepository,
  message: string,
  parent?: string,
): Promise<string> {
  const { blobs, tree } = encodeTree(files);
  const who = `${handle} <${email}> ${committed_at_s} +0000`;
  const parents = parent === undefined ? '' : `parent ${parent}\n`;
  const text = `tree ${tree.id}\n${parents}author ${who}\ncommitter ${who}\n\n${message}\n`;
  const commit = encodeObject({ type: 'commit', octets: Buffer.from(text) });
  for (const { id, stored } of [...blobs, tree, commit]) {
    await writeDurably(join(path, objectPath(id)), stored);
  }
  return commit.id;
}

const commit_octets_max = 65_536;

/**
 * Commits other files to `main` if it has exactly the files `before`, and answers whether it did. To be
 * called by who has the turn of this repository.
 */
export async function replaceFiles(
  path: string,
  made: NewRepository,
  before: NewRepository['files'],
): Promise<boolean> {
  const tip = await readTip(path);
  const commit = tip && (await readLooseObject(path, tip, commit_octets_max));
  if (!commit || commit === 'too_large') return false;
  const head = `tree ${encodeTree(before).tree.id}\n`;
  if (!commit.octets.toString('latin1').startsWith(head)) return false;
  const id = await writeCommit(path, made, 'The house has moved', tip);
  // As git changes a branch.
  const lock = join(path, 'refs/heads/main.lock');
  await writeFile(lock, `${id}\n`, { flag: 'wx', flush: true, mode: 0o600 });
  await rename(lock, join(path, 'refs/heads/main'));
  return true;
}

async function writeDurably(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { flush: true, mode: 0o600 });
}

/** Puts a folder in the place of one that does not exist; false, and it is gone, if that does exist. */
export async function moveIntoPlace(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    await rm(from, { recursive: true, force: true });
    const { code = '' } = error as { code?: string };
    if (['EEXIST', 'ENOTEMPTY'].includes(code)) return false;
    throw error;
  }
}
