import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory_folder = '/dev/shm';
const memory_free_bytes_min = 1024 ** 3;

/**
 * Where tests keep data: in memory where the machine offers enough of it, for a suite that opens
 * hundreds of databases waits for little else than the disk.
 */
export function dataRoot(): string {
  try {
    accessSync(memory_folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory_folder);
    return bavail * bsize >= memory_free_bytes_min ? memory_folder : tmpdir();
  } catch {
    return tmpdir();
  }
}

export type TemporaryFolder = { readonly path: string; remove(): void };

/** A new, empty folder of this test's own. Whoever asks for it removes it. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(dataRoot(), 'stoa-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
