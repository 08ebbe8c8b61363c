import { join } from 'node:path';

/** Where processes keep what they have compiled, so that each but the first starts in half the time. */
export const compile_cache = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'compiled',
);
