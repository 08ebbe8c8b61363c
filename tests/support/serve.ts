import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, childEnvironment, runChild, startChild } from './children.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What `npm start` runs. */
export const main_path = fileURLToPath(
  new URL('../../packages/server/src/main.ts', import.meta.url),
);
const ready_ms_max = 30_000;
const port_attempts_max = 5;

/** Where a server is started, and what it is told beside its flags. */
type Surroundings = {
  /**
   * The folder in which it is started, with its `stoa.toml` and its data folder. A new one, removed with
   * the server, if none is given.
   */
  folder?: string;
  env?: Readonly<Record<string, string>>;
  /** Text of `stoa.toml`. */
  config?: string;
};

export type ServeOptions = Surroundings & {
  /** PostgreSQL in place of the embedded database. */
  database_url?: string;
  /** Flags beside `--port`, which is a free one. */
  flags?: readonly string[];
};

/** The real server, as a process of its own. */
export type Server = Child & {
  /** Where it says that it listens, such as `http://127.0.0.1:8080`. */
  readonly base: string;
  readonly folder: string;
  /** Its data folder, unless it was given another. */
  readonly data: string;
  /** Everything it has printed, for the message of a test that fails. */
  output(): string;
};

/**
 * Starts the server on a free port and resolves once it says that it listens; `await using` kills it at
 * the latest. Rejects, with what it printed, if it ends before that.
 */
export async function startServer(options: ServeOptions = {}): Promise<Server> {
  const { database_url, flags = [], ...surroundings } = options;
  const others = [...(database_url ? ['--database-url', database_url] : []), ...flags];
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await startServerWith(['--port', String(port), ...others], surroundings);
    } catch (error) {
      // Somebody else may take the port between the probe and the start.
      const is_taken = error instanceof Error && error.message.includes(`port ${port} `);
      if (!is_taken || attempt === port_attempts_max) throw error;
    }
  }
}

/** The same with exactly these flags. */
export async function startServerWith(
  flags: readonly string[],
  { folder, env, config }: Surroundings,
): Promise<Server> {
  const kept = new AsyncDisposableStack();
  try {
    const place = folder ?? kept.adopt(temporaryFolder(), (own) => own.remove()).path;
    mkdirSync(place, { recursive: true });
    if (config !== undefined) writeFileSync(join(place, 'stoa.toml'), config);
    const options = { cwd: place, env: childEnvironment(env) };
    const child = kept.use(startChild(process.execPath, [main_path, ...flags], options));
    const output = () => [...child.stdout, ...child.stderr].join('\n');
    const base = await readyLine(child);
    if (base === undefined) throw new Error(`the server did not start:\n${output()}`);
    const closing = kept.move();
    return {
      ...child,
      base,
      folder: place,
      data: join(place, 'data'),
      output,
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await kept.disposeAsync();
    throw error;
  }
}

/** The origin that the server says it listens on; undefined if it ends, or takes too long. */
async function readyLine(child: Child): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const giveUp = () => resolve(undefined);
  const timer = setTimeout(giveUp, ready_ms_max);
  child.onLine((line) => {
    const base = /^stoa: listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (base) resolve(base);
  });
  void child.exited.then(giveUp, giveUp);
  const base = await promise;
  clearTimeout(timer);
  return base;
}

/** Runs the server with exactly these flags to its end: for papers, and for starts that fail. */
export function runServer(
  flags: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
) {
  return runChild(process.execPath, [main_path, ...flags], {
    cwd: options.cwd,
    env: childEnvironment(options.env),
  });
}
