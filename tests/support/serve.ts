import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, childEnvironment, runChild, startChild } from './children.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What `npm start` runs. */
const main_path = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
const ready_ms_max = 30_000;
const port_attempts_max = 5;

export type ServeOptions = {
  /**
   * The folder in which the server is started, with its `stoa.toml` and its data folder. A new one, removed
   * with the server, if none is given.
   */
  folder?: string;
  /** PostgreSQL in place of the embedded database. */
  database_url?: string;
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Text of `stoa.toml`. */
  config?: string;
  /** A free port if none is given. */
  port?: number;
};

/** The real server, as a process of its own. */
export type Server = Child & {
  /** Its origin, such as `http://127.0.0.1:8080`. */
  readonly base: string;
  readonly port: number;
  readonly folder: string;
  /** Its data folder. */
  readonly data: string;
  readonly socket: string;
  /** Everything it has printed, for the message of a test that fails. */
  output(): string;
};

/** Its flags with a port and what `options` say. */
function flagsOf(options: ServeOptions, port: number): string[] {
  return [
    main_path,
    '--port',
    String(port),
    ...(options.database_url ? ['--database-url', options.database_url] : []),
    ...(options.flags ?? []),
  ];
}

/**
 * Starts the server and resolves once it says that it listens; `await using` kills it at the latest.
 * Throws, with what it printed, if it ends before that.
 */
export async function startServer(options: ServeOptions = {}): Promise<Server> {
  const kept = new AsyncDisposableStack();
  try {
    let { folder } = options;
    if (folder === undefined) {
      const temporary = temporaryFolder();
      kept.defer(() => temporary.remove());
      folder = temporary.path;
    }
    if (!existsSync(folder)) mkdirSync(folder);
    if (options.config !== undefined) writeFileSync(join(folder, 'stoa.toml'), options.config);
    const { child, base, port } = await startOnPort(options, folder);
    kept.use(child);
    const data = join(folder, 'data');
    return {
      ...child,
      base,
      port,
      folder,
      data,
      socket: join(data, 'admin.sock'),
      output: () => outputOf(child),
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  } catch (error) {
    await kept.disposeAsync();
    throw error;
  }
}

const outputOf = (child: Child) => [...child.stdout, ...child.stderr].join('\n');

async function startOnPort(options: ServeOptions, folder: string) {
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const child = startChild(process.execPath, flagsOf(options, port), {
      cwd: folder,
      env: childEnvironment(options.env),
    });
    const base = await readyLine(child);
    if (base !== undefined) return { child, base, port };
    await child.kill('SIGKILL');
    // Somebody else may take the port between the probe and the start.
    const is_taken = options.port === undefined && /in use/i.test(outputOf(child));
    if (!is_taken || attempt === port_attempts_max) {
      throw new Error(`the server did not start:\n${outputOf(child)}`);
    }
  }
}

/** The origin that the server says it listens on; undefined if it ends, or takes too long. */
async function readyLine(child: Child): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve(undefined), ready_ms_max);
  child.onLine((line) => {
    const base = /^stoa: listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (base) resolve(base);
  });
  const giveUp = () => resolve(undefined);
  void child.exited.then(giveUp, giveUp);
  const base = await promise;
  clearTimeout(timer);
  return base;
}

/** Runs the server with exactly these arguments to its end, for starts that fail and papers. */
export function runServer(
  given: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
) {
  return runChild(process.execPath, [main_path, ...given], {
    cwd: options.cwd,
    env: childEnvironment(options.env),
  });
}
