import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './storage.ts';

/** The types that a column of the house may have; the same word means the same on both engines. */
export type ColumnVocabulary = {
  /** Text compared and ordered by code point. */
  readonly text: RawBuilder<unknown>;
  /** Octets, read as `Buffer`. */
  readonly bytes: RawBuilder<unknown>;
  /** An integer of up to 53 bits, read as a number. */
  readonly integer: RawBuilder<unknown>;
  /** A place in a stream, 1 upwards. */
  readonly sequence: RawBuilder<unknown>;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly instant: RawBuilder<unknown>;
  /** 0 or 1. */
  readonly flag: RawBuilder<unknown>;
  /** Ends a `create table`: rows lie in the order of their primary key where the engine offers it. */
  readonly clustered: RawBuilder<unknown>;
};

const sqlite: ColumnVocabulary = {
  text: sql`text`,
  bytes: sql`blob`,
  integer: sql`integer`,
  sequence: sql`integer`,
  instant: sql`integer`,
  flag: sql`integer`,
  clustered: sql`without rowid`,
};

const postgres: ColumnVocabulary = {
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  integer: sql`bigint`,
  sequence: sql`bigint`,
  instant: sql`bigint`,
  flag: sql`smallint`,
  clustered: sql``,
};

/** The column types of `engine`. */
export function columnVocabulary(engine: Engine): ColumnVocabulary {
  return engine === 'sqlite' ? sqlite : postgres;
}
