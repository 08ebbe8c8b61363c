import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Folders whose test files may share a process; the rest starts others, or watches itself. */
const shareable = /^(packages|tests\/conformance)\//;

/** Their files share a process of their own, and its browser. */
const of_pages = /^tests\/browser\//;

/** Test files of one process. Starting one takes over a second of processor time, which most files take themselves. */
const batch_files_max = 10;

/** Fewer files than this are run as they are, so that what is said names them. */
const batching_pays_from = 30;

/**
 * Puts test files together that can share a process, as files in `folder` that import them; answers what to
 * run. Files of one folder stay together, and what takes long comes first, by its name too: the runner sorts.
 */
export function batchTests(root: string, files: readonly string[], folder: string): string[] {
  if (files.length < batching_pays_from) return [...files];
  mkdirSync(folder, { recursive: true });
  const pages = files.filter((file) => of_pages.test(file));
  const together = files.filter((file) => shareable.test(file));
  const apart = files.filter((file) => !shareable.test(file) && !of_pages.test(file));
  const ordered = together.sort(
    (a, b) => Number(a.startsWith('packages/')) - Number(b.startsWith('packages/')),
  );
  const groups = pages.length > 0 ? [pages] : [];
  for (let start = 0; start < ordered.length; start += batch_files_max) {
    groups.push(ordered.slice(start, start + batch_files_max));
  }
  const batches = groups.map((group, index) => {
    const path = join(folder, `batch-${String(index + 1).padStart(2, '0')}.test.mjs`);
    const imports = group.map((file) => `import '${pathToFileURL(join(root, file))}';\n`);
    writeFileSync(path, imports.join(''));
    return path;
  });
  return [...batches, ...apart];
}
