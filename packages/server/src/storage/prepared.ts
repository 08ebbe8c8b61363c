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

/**
 * A statement that is built and compiled once for each database, and run with other values each time:
 * for the busiest ones, of which building costs more than running. `build` puts the values where they
 * belong and does not look at them.
 */
export function prepared<Values extends object, Row, StoreDb extends Db = Db>(
  build: (db: StoreDb, values: Values) => { compile(): CompiledQuery<Row> },
): (db: StoreDb, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>();
  return async (db, values) => {
    let query = compiled.get(db);
    if (!query) {
      // @NOTE While it is built, every value is a placeholder, which Kysely passes on as a parameter.
      query = build(db, placeholders as Values).compile();
      compiled.set(db, query);
    }
    // @NOTE The names are those that `build` took from `values`.
    const given = values as Record<string, unknown>;
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? given[parameter.name] : parameter,
    );
    const run = runs.get(db);
    // @NOTE The rows are those of the statement that Kysely has typed.
    if (run) return run(query.sql, parameters) as Row[];
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
