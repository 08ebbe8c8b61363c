import type { Config } from './config.ts';

/** A start that failed for a reason that the operator can mend; the message says which and how. */
export class StartError extends Error {
  override name = 'StartError';
}

const mended = (message: string, cause: unknown) => new StartError(message, { cause });

/**
 * Turns what kept a house with `config` from opening into a sentence for its operator. An error that
 * no setting explains is answered as it is: a bug, to be shown whole.
 */
export function startFault(error: unknown, { data, host, port }: Config): unknown {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown };
  if (error instanceof StartError) return error;
  if (error instanceof Error && error.name === 'StorageUnavailableError' && cause) {
    return mended(`the database could not be reached: ${(cause as Error).message}`, error);
  }
  switch (code) {
    case 'EADDRINUSE':
      return mended(`port ${port} on ${host} is in use; choose another with --port`, error);
    case 'EADDRNOTAVAIL':
      return mended(`this machine has no address ${host}; choose another with --host`, error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return mended(`the data folder ${data} cannot be used: ${message}`, error);
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return mended(
        `the database in ${data} is no SQLite database, or is damaged: ${message}`,
        error,
      );
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return mended(`the database could not be reached: ${message || code}`, error);
    default:
      // PostgreSQL's own refusals have a code of five characters: no such role, no such database, …
      return /^[0-9A-Z]{5}$/.test(code ?? '') && error instanceof Error
        ? mended(`the database refused: ${message}`, error)
        : error;
  }
}
