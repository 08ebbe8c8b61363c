import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A program of this machine, and the bounds in which it runs. */
export type Program = {
  /** A name that is looked for in the usual folders, or a path. */
  readonly program: string;
  readonly args: readonly string[];
  /** All of its environment but the folders of programs: nothing of ours is handed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** After so long it is killed; also the seconds of processor time that it may use. */
  readonly time_ms_max: number;
  /** Address space of each of its processes. */
  readonly memory_kib_max: number;
  /** Kills it when given. */
  readonly signal?: AbortSignal;
};

export type StartedProgram = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves once it has ended and all of its output was read; a program that was killed has no code. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  kill(): void;
};

const folders = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const stderr_characters_max = 4_096;

// A limit that a system does not know is passed over.
const bounded = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec "$@"';

/**
 * Starts a program without a shell of its own, in an empty environment, within its bounds. One that does
 * not exist ends with code 127.
 */
export function startProgram(what: Program): StartedProgram {
  const { program, args, env = {}, time_ms_max, memory_kib_max, signal } = what;
  const seconds = Math.ceil(time_ms_max / 1_000);
  const bounds = [String(memory_kib_max), String(seconds)];
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', ...bounds, program, ...args], {
    env: { PATH: folders, LC_ALL: 'C', ...env },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: time_ms_max,
    killSignal: 'SIGKILL',
    ...(signal ? { signal } : {}),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < stderr_characters_max) stderr += text;
  });
  // It may end before it has read all: what it says then counts, not the broken pipe.
  child.stdin.on('error', () => {});
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.once('close', (code) =>
      resolve({ code, stderr: stderr.slice(0, stderr_characters_max) }),
    );
    child.once('error', (error) => {
      // Killed by its signal, it still closes.
      if (error.name !== 'AbortError') reject(error);
    });
  });
  ended.catch(() => {});
  return { stdin: child.stdin, stdout: child.stdout, ended, kill: () => child.kill('SIGKILL') };
}

/** A program said more than was asked for. */
export class LongOutputError extends Error {
  override name = 'LongOutputError';
}

/** Runs a program to its end and answers its output, which may have `octets_max`; more kills it and rejects. */
export async function runProgram(
  what: Program & { readonly octets_max: number },
): Promise<{ code: number | null; output: Buffer; stderr: string }> {
  const { stdin, stdout, ended, kill } = startProgram(what);
  stdin.end();
  const output = await readOutput(stdout, what.octets_max).catch((error) => {
    kill();
    throw error;
  });
  return { ...(await ended), output };
}

/** All of a program's output, or a `LongOutputError` once it is longer than `octets_max`. */
export async function readOutput(stdout: Readable, octets_max: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let octets = 0;
  for await (const part of stdout) {
    octets += part.length;
    if (octets > octets_max) throw new LongOutputError(`more than ${octets_max} octets`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
