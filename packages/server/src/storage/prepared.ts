import type { CompiledQuery } from 'kysely';
import type { Db } from './storage.ts';

/** Stands for a value while a statement is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy<Record<string, unknown>>(
  {},
  { get: (_, name) => new Placeholder(String(name)) },
);

type Run = (sql: string, parameters: readonly unknown[]) => unknown[];

const runs = new WeakMap<Db, Run>();

/** Has prepared statements on `db` run by `run`, past the builder, whose own way to a connection takes as long as a row. */
export function runPreparedBy(db: Db, run: Run): void {
  runs.set(db, run);
}

type Compiled<Row> = {
  readonly query: CompiledQuery<Row>;
  /** Whether its parameters are the values of a list, one after the other. */
  readonly takes_list: boolean;
};

const isList = (parameters: readonly unknown[]) =>
  parameters.every((one, index) => one instanceof Placeholder && one.name === String(index));

/**
 * A statement that is built and compiled once for each database, and run with other values each time:
 * for the busiest ones, of which building costs more than running. `build` puts the values where they
 * belong and does not look at them.
 */
export function prepared<Values extends object, Row, StoreDb extends Db = Db>(
  build: (db: StoreDb, values: Values) => { compile(): CompiledQuery<Row> },
): (db: StoreDb, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<Db, Compiled<Row>>();
  return async (db, values) => {
    let known = compiled.get(db);
    if (!known) {
      // @NOTE While it is built, every value is a placeholder, which Kysely passes on as a parameter.
      const query = build(db, placeholders as Values).compile();
      known = { query, takes_list: isList(query.parameters) };
      compiled.set(db, known);
    }
    const { query, takes_list } = known;
    // @NOTE The names are those that `build` took from `values`.
    const given = values as Record<string, unknown>;
    const parameters =
      takes_list && Array.isArray(values)
        ? values
        : query.parameters.map((parameter) =>
            parameter instanceof Placeholder ? given[parameter.name] : parameter,
          );
    const run = runs.get(db);
    // @NOTE The rows are those of the statement that Kysely has typed.
    if (run) return run(query.sql, parameters) as Row[];
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
