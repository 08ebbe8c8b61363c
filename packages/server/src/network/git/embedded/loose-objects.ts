import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync, inflate, inflateSync } from 'node:zlib';

export type GitObject = { readonly type: string; readonly octets: Buffer };

/** An object as git stores it: its id, and the bytes of its file. */
export function encodeObject({ type, octets }: GitObject): { id: string; stored: Buffer } {
  const whole = Buffer.concat([Buffer.from(`${type} ${octets.length}\0`), octets]);
  return { id: createHash('sha1').update(whole).digest('hex'), stored: deflateSync(whole) };
}

/** Where an object lies in its repository. */
export const objectPath = (id: string): string => join('objects', id.slice(0, 2), id.slice(2));

/** Of `type`, a space and the length, before the content. */
const head_octets_max = 64;
/** So little is inflated at once: to hand it to another thread would take longer. */
const at_once_octets_max = 65_536;

/**
 * An object that has a file of its own; undefined if it has none, such as in a pack, and `'too_large'` if
 * it has more than `octets_max`.
 */
export async function readLooseObject(
  repository: string,
  id: string,
  octets_max: number,
): Promise<GitObject | 'too_large' | undefined> {
  const stored = await readBounded(join(repository, objectPath(id)), octets_max);
  if (!stored || stored === 'too_large') return stored;
  try {
    const whole = await inflated(stored, octets_max + head_octets_max);
    const head_end = whole.indexOf(0);
    const [type = ''] = whole.toString('latin1', 0, head_end).split(' ');
    const octets = whole.subarray(head_end + 1);
    return octets.length > octets_max ? 'too_large' : { type, octets };
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
    throw error;
  }
}

const inflateOnThread = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

function inflated(stored: Buffer, maxOutputLength: number): Buffer | Promise<Buffer> {
  return maxOutputLength <= at_once_octets_max + head_octets_max
    ? inflateSync(stored, { maxOutputLength })
    : inflateOnThread(stored, { maxOutputLength });
}

/** The bytes of a file; what is stored has hardly more of them than what it holds. */
async function readBounded(path: string, octets_max: number) {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    return size > octets_max * 1.01 + 1_024 ? 'too_large' : await file.readFile();
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}

/** One name in a tree. */
export type TreeEntry = { readonly mode: string; readonly id: string };

const id_octets = 20;

/** The entry of this name in a tree. */
export function findEntry(tree: Buffer, name: string): TreeEntry | undefined {
  const wanted = Buffer.from(name);
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at);
    const end = tree.indexOf(0, space);
    if (space < 0 || end < 0) return undefined;
    if (tree.subarray(space + 1, end).equals(wanted)) {
      const id = tree.toString('hex', end + 1, end + 1 + id_octets);
      return { mode: tree.toString('latin1', at, space), id };
    }
    at = end + 1 + id_octets;
  }
  return undefined;
}
