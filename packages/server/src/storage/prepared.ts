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
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
