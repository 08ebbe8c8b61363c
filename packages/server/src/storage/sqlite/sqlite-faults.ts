import { StorageUnavailableError } from '../storage.ts';

/** What SQLite says when another holds the file, or the disk does not take or give what it should. */
const away_codes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN)/;

/** What a failed statement throws: that the database is away if it is, and its own error otherwise. */
export function sqliteFault(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && away_codes.test(code)
    ? new StorageUnavailableError('the database could not be used', { cause: error })
    : error;
}
