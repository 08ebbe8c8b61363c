import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NewRepository } from '../git-host.ts';
import { encodeObject, objectPath } from './loose-objects.ts';

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
  const { handle, email, files, committed_at_s } = made;
  await writeEmptyRepository(path);
  const add = async (type: string, octets: Buffer): Promise<string> => {
    const { id, stored } = encodeObject({ type, octets });
    await writeDurably(join(path, objectPath(id)), stored);
    return id;
  };
  const entries: Buffer[] = [];
  for (const name of Object.keys(files).sort()) {
    const id = await add('blob', Buffer.from(files[name] ?? ''));
    entries.push(Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex'));
  }
  const tree = await add('tree', Buffer.concat(entries));
  const who = `${handle} <${email}> ${committed_at_s} +0000`;
  const text = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nStarter card\n`;
  const commit = await add('commit', Buffer.from(text));
  await writeDurably(join(path, 'refs/heads/main'), `${commit}\n`);
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
