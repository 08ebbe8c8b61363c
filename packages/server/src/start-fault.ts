import { statSync } from 'node:fs';
import type { Config } from './config.ts';
import { StorageUnavailableError } from './storage/storage.ts';

/** A start that failed for a reason that the operator can mend; the message says which and how. */
export class StartError extends Error {
  override name = 'StartError';
}

const mended = (message: string, cause: unknown) => new StartError(message, { cause });

/** What Node says beside the message: of a door that cannot be opened, its port or the path of a socket. */
type SystemError = Error & {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
};

type Settings = Pick<Config, 'data' | 'host' | 'metrics'>;

/** How Kysely begins when the database has had a migration that there is no more. */
const unknown_migration = 'corrupted migrations: previously executed migration';

/**
 * Turns what kept a house with `settings` from opening into a sentence for its operator. An error that
 * no setting explains is answered as it is: a bug, to be shown whole.
 */
export function startFault(error: unknown, settings: Settings): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  if (error instanceof StorageUnavailableError && error.cause instanceof Error) {
    const known = startFault(error.cause, settings);
    return known instanceof StartError
      ? known
      : mended(`the database could not be reached: ${error.cause.message}`, error);
  }
  const { code, message }: SystemError = error;
  const at_door = doorFault(error, settings);
  if (at_door !== undefined) return mended(at_door, error);
  if (message.startsWith(unknown_migration)) {
    return mended(
      'the database was made by a version of Stoa that this one does not continue; go on with that version, or begin a new data folder or database',
      error,
    );
  }
  if (statSync(settings.data, { throwIfNoEntry: false })?.isDirectory() === false) {
    return mended(`the data folder ${settings.data} is no folder; name one with --data`, error);
  }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
      return mended(`the data folder ${settings.data} cannot be used: ${message}`, error);
    // Whoever opens the database at the same instant has not come to its socket yet.
    case 'SQLITE_BUSY':
      return mended(
        `another house is open on this data folder (the database in ${settings.data} is locked)`,
        error,
      );
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return mended(`the disk of the data folder ${settings.data} is full; make room on it`, error);
    case 'SQLITE_NOTADB':
    case 'SQLITE_CORRUPT':
      return mended(
        `the database in ${settings.data} is no SQLite database, or is damaged: ${message}`,
        error,
      );
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
      return mended(`the database could not be reached: ${message || code}`, error);
    default:
      // PostgreSQL's own refusals have a code of five characters: no such role, no such database, …
      return /^[0-9A-Z]{5}$/.test(code ?? '')
        ? mended(`the database refused: ${message}`, error)
        : error;
  }
}

/** What is wrong with a place to listen at, if that is what the error is about. */
function doorFault(error: SystemError, { host, metrics }: Settings): string | undefined {
  const { code, syscall, address, port, hostname } = error;
  if (syscall === 'getaddrinfo' && (hostname === host || hostname === metrics.host)) {
    const setting = hostname === host ? '--host' : 'metrics.host';
    return `nobody knows the host ${hostname}; choose another with ${setting}`;
  }
  if (syscall !== 'listen') return undefined;
  if (port === undefined || port < 0) {
    // Two houses that begin at once on one data folder meet at the socket, which has no port.
    return code === 'EADDRINUSE'
      ? `another house is open on this data folder (${address} is in use)`
      : undefined;
  }
  const is_metrics = port === metrics.port;
  if (code === 'EADDRINUSE') {
    const setting = is_metrics ? 'metrics.port' : '--port';
    return `port ${port} on ${address} is in use; choose another with ${setting}`;
  }
  if (code === 'EADDRNOTAVAIL') {
    const setting = is_metrics ? 'metrics.host' : '--host';
    return `this machine has no address ${address}; choose another with ${setting}`;
  }
  return code === 'EACCES'
    ? `this user may not open port ${port}; choose one above 1023 with ${is_metrics ? 'metrics.port' : '--port'}`
    : undefined;
}
