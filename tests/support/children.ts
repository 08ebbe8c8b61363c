import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compile_cache } from './compile-cache.ts';

/** How a process ended. */
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A process that a test has started, and what it has printed so far. */
export type Child = AsyncDisposable & {
  readonly pid: number;
  readonly stdin: ChildProcess['stdin'];
  /** Its lines, without line ends. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Resolves when it is gone and everything it printed was read. */
  readonly exited: Promise<Exit>;
  /** Sends a signal and resolves when it is gone. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** Calls `listener` with each line of its standard output, from the first on. */
  onLine(listener: (line: string) => void): void;
};

/** Older lines are forgotten, so that whoever prints for minutes fills no memory here. */
const lines_max = 20_000;

const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

// However this process ends, nothing that it started is left behind.
process.on('exit', killAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killAll();
    process.kill(process.pid, signal);
  });
}

/** The environment of a child: none of the settings of a house, and nothing of the test runner. */
export function childEnvironment(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(STOA_|NODE_)/.test(name));
  return { ...Object.fromEntries(kept), NODE_COMPILE_CACHE: compile_cache, ...added };
}

/** Starts a program; `await using` kills it at the latest. */
export function startChild(
  program: string,
  given: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Child {
  const child = spawn(program, given, { env: childEnvironment(), ...options, stdio: 'pipe' });
  running.add(child);
  const stdout: string[] = [];
  const stderr: string[] = [];
  const listeners: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    keep(stdout, line);
    for (const listener of listeners) listener(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => keep(stderr, line));
  // Who is killed reads no more; what was written to it then is lost, as it should be.
  child.stdin.on('error', () => {});
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  exited.catch(() => {});
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    stdout,
    stderr,
    exited,
    kill,
    onLine(listener) {
      for (const line of stdout) listener(line);
      listeners.push(listener);
    },
    async [Symbol.asyncDispose]() {
      await kill('SIGKILL').catch(() => {});
    },
  };
}

function keep(lines: string[], line: string): void {
  lines.push(line);
  if (lines.length > lines_max) lines.splice(0, lines_max / 2);
}

/** Runs a program to its end, at most for half a minute. */
export async function runChild(
  program: string,
  given: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> & { input?: string } = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const { input, ...spawned } = options;
  await using child = startChild(program, given, spawned);
  child.stdin?.end(input);
  const timer = setTimeout(() => void child.kill('SIGKILL'), 30_000);
  const exit = await child.exited;
  clearTimeout(timer);
  return { ...exit, stdout: child.stdout.join('\n'), stderr: child.stderr.join('\n') };
}
