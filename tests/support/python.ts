import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BarAgent } from './bar-agents.ts';
import { type Child, childEnvironment, startChild } from './children.ts';
import type { TestHouse } from './open-house.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type PythonOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
};

export type Ran = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Answers tasks and quizzes of practice mode; a command of words, as `--solver` takes it. */
export const practice_solver = "sed 's/.*: //'";

/** Starts Python with these words; `await using` kills it at the latest. */
function startPython(words: readonly string[], options: PythonOptions = {}): Child {
  const { cwd, env = {} } = options;
  const environment = childEnvironment({ PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1', ...env });
  return startChild('python3', words, { env: environment, ...(cwd === undefined ? {} : { cwd }) });
}

/** Runs Python with these words to its end. */
export async function runPython(
  words: readonly string[],
  options: PythonOptions = {},
): Promise<Ran> {
  await using child = startPython(words, options);
  child.stdin?.end(options.input);
  const { code } = await child.exited;
  return { code, stdout: child.stdout.join('\n'), stderr: child.stderr.join('\n') };
}

/** The Python client as a house serves it, in a folder of its own. */
export type ServedClient = Disposable & {
  readonly folder: string;
  readonly text: string;
  /** Runs a command as who the state file of this name says. */
  run(who: string, ...words: string[]): Promise<Ran>;
  start(who: string, ...words: string[]): Child;
  statePath(who: string): string;
  // biome-ignore lint/suspicious/noExplicitAny: @NOTE a test looks into what the client has written.
  state(who: string): any;
  /** Writes a state file for an agent that is in already. */
  settle(who: string, agent: BarAgent): void;
};

/** Fetches the client from `house`. */
export async function fetchClient(house: TestHouse): Promise<ServedClient> {
  const text = await (await house.fetch('/bar/client/korova.py')).text();
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'korova.py');
  writeFileSync(path, text);
  const statePath = (who: string) => join(folder, `${who}.json`);
  const environment = (who: string) => ({ cwd: folder, env: { KOROVA_STATE: statePath(who) } });
  return {
    folder,
    text,
    statePath,
    run: (who, ...words) => runPython([path, ...words], environment(who)),
    start: (who, ...words) => startPython([path, ...words], environment(who)),
    state: (who) => JSON.parse(readFileSync(statePath(who), 'utf8')),
    settle(who, { agent_id, name, key, token }) {
      const state = { agent_id, name, key, session_token: token };
      writeFileSync(statePath(who), JSON.stringify(state), { mode: 0o600 });
    },
    [Symbol.dispose]: () => temporary.remove(),
  };
}
