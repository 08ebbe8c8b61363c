import {
  LongOutputError,
  type Program,
  runProgram,
  type StartedProgram,
  startProgram,
} from '../../../run-program.ts';
import { git_memory_kib_max, git_time_ms_max } from '../../limits.ts';
import { BrokenRepositoryError, GitUnavailableError } from '../git-host.ts';

/** What git is told besides its arguments: nothing of the machine's or a user's own settings. */
const environment = {
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  // A push may name replacements of objects, which a clone does not get: both shall see the same card.
  GIT_NO_REPLACE_OBJECTS: '1',
};

const settings = [
  // The folder is ours, whoever owns it on a shared disk.
  'safe.directory=*',
  'core.hooksPath=/dev/null',
  // Large files pass through in pieces in place of being held.
  'core.bigFileThreshold=1m',
  'pack.threads=1',
  'gc.autoDetach=false',
];

export type GitCall = {
  readonly args: readonly string[];
  readonly settings?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** It is killed after so long, if that is not the usual time. */
  readonly time_ms_max?: number;
};

/** The system's git, in an environment of its own and within bounds. */
export type GitProgram = {
  /** Whether there is one. */
  exists(): Promise<boolean>;
  start(call: GitCall): StartedProgram;
  /** Its output, or a `BrokenRepositoryError` if it fails; undefined if that is longer than `octets_max`. */
  run(call: GitCall & { readonly octets_max: number }): Promise<Buffer | undefined>;
};

export function gitProgram(program: string): GitProgram {
  const toRun = (call: GitCall): Program => ({
    program,
    args: [...[...settings, ...(call.settings ?? [])].flatMap((one) => ['-c', one]), ...call.args],
    env: { ...environment, ...call.env },
    time_ms_max: call.time_ms_max ?? git_time_ms_max,
    memory_kib_max: git_memory_kib_max,
    ...(call.signal ? { signal: call.signal } : {}),
  });
  let existence: Promise<boolean> | undefined;
  const exists = () => {
    existence ??= runProgram({ ...toRun({ args: ['--version'] }), octets_max: 1_024 }).then(
      ({ code }) => code === 0,
      () => false,
    );
    return existence;
  };
  return {
    exists,
    start: (call) => startProgram(toRun(call)),
    async run({ octets_max, ...call }) {
      if (!(await exists())) throw new GitUnavailableError('there is no git on this machine');
      try {
        const { code, output, stderr } = await runProgram({ ...toRun(call), octets_max });
        if (code === 0) return output;
        throw new BrokenRepositoryError(`git ended with ${code}: ${stderr}`);
      } catch (error) {
        if (error instanceof LongOutputError) return undefined;
        throw error;
      }
    },
  };
}
