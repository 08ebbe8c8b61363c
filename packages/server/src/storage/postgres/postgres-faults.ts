import { StorageUnavailableError } from '../storage.ts';

/**
 * SQLSTATEs that say nothing against the statement: the connection failed (08), a session was ended for falling
 * silent (25P03, 25P04) or finds itself on a standby (25006), resources ran out (53), the database takes no
 * connections (55000), a lock or the answer took too long (55P03, 57014), the server stops or starts (57P).
 */
const away_states = /^(08|53|57P|25006$|25P0[34]$|55000$|55P03$|57014$)/;

/** What sockets and the resolver say by their codes. */
const away_errors = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOST|ENET)/;

/** What pg says, without a code, of a connection that broke. */
const away_words =
  /^(Connection terminated|Client has encountered a connection error|Client was closed)/;

/** What a failed statement throws: that the database is away if it is, and its own error otherwise. */
export function postgresFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailableError) return error;
  const { code = '' } = error as { code?: string };
  const is_away =
    away_states.test(code) || away_errors.test(code) || away_words.test(error.message);
  return is_away
    ? new StorageUnavailableError('the database did not answer', { cause: error })
    : error;
}
