import { type ClientConfig, types } from 'pg';

/** PostgreSQL's oid of `bigint`. */
const bigint_oid = 20;

function parseInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('an integer column exceeds 53 bits');
  return value;
}

/** Settings of every connection of the house: 53-bit integers as numbers, bounded waits. */
export function clientSettings(database_url: string, application_name: string): ClientConfig {
  return {
    connectionString: database_url,
    application_name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: {
      // biome-ignore lint/suspicious/noExplicitAny: @NOTE pg types a parser's answer as any.
      getTypeParser: (oid: number, format?: any): any =>
        oid === bigint_oid && format !== 'binary' ? parseInteger : types.getTypeParser(oid, format),
    },
  };
}
