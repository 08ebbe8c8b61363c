import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInflate, deflateSync } from 'node:zlib';

export type GitObject = { readonly type: string; readonly octets: Buffer };

/** An object as git stores it: its id, and the bytes of its file. */
export function encodeObject({ type, octets }: GitObject): { id: string; stored: Buffer } {
  const whole = Buffer.concat([Buffer.from(`${type} ${octets.length}\0`), octets]);
  return { id: createHash('sha1').update(whole).digest('hex'), stored: deflateSync(whole) };
}

/** Where an object lies in its repository. */
export const objectPath = (id: string): string => join('objects', id.slice(0, 2), id.slice(2));

/**
 * An object that has a file of its own; undefined if it has none, such as in a pack, and `'too_large'` if
 * it has more than `octets_max`.
 */
export async function readLooseObject(
  repository: string,
  id: string,
  octets_max: number,
): Promise<GitObject | 'too_large' | undefined> {
  const head_octets_max = 64;
  const file = createReadStream(join(repository, objectPath(id)));
  const inflated = createInflate();
  file.once('error', (error) => inflated.destroy(error));
  const parts: Buffer[] = [];
  let octets = 0;
  try {
    for await (const part of file.pipe(inflated)) {
      parts.push(part);
      octets += part.length;
      if (octets > octets_max + head_octets_max) return 'too_large';
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    file.destroy();
  }
  const whole = Buffer.concat(parts);
  const head_end = whole.indexOf(0);
  const [type = ''] = whole.toString('latin1', 0, head_end).split(' ');
  const content = whole.subarray(head_end + 1);
  return content.length > octets_max ? 'too_large' : { type, octets: content };
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
