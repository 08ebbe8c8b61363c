import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { code_tracing } from './code-tracing.ts';
import type { Task } from './task.ts';
import { checkTasks, drawTasks, type Solved } from './testing/check-family.ts';

/** Runs each program of a JSON list and answers, as a JSON list, what it printed. */
const run_all = `
import contextlib, io, json, sys
def run(code):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    return out.getvalue().strip()
json.dump([run(code) for code in json.load(sys.stdin)], sys.stdout)
`;

const wordings = {
  returns: /^What does (?<call>.+) return\?\n```python\n(?<code>[^`]+)\n```\nAnswer with/,
  printed: /^This is Python 3:\n```python\n(?<code>[^`]+)\n```\nWhat is printed\? Answer with/,
  traced:
    /^Trace the function below for (?<call>.+) and give its last value, the one it returns\.\n```python\n(?<code>[^`]+)\n```\nAnswer with/,
};

/** What a prompt asks to run, with the call printed where it is only named. */
function programOf({ prompt }: Task): { code: string; wording: string } {
  for (const [wording, pattern] of Object.entries(wordings)) {
    const { code, call } = pattern.exec(prompt)?.groups ?? {};
    if (code !== undefined) {
      return { wording, code: call === undefined ? code : `${code}\nprint(${call})` };
    }
  }
  return assert.fail(prompt);
}

/** Python itself is the solver. */
function runAll(tasks: readonly Task[]): Solved[] {
  const programs = tasks.map(programOf);
  const input = JSON.stringify(programs.map(({ code }) => code));
  const python = spawnSync('python3', ['-c', run_all], { input, encoding: 'utf8' });
  assert.equal(python.error, undefined, 'This test needs python3 on the PATH.');
  assert.equal(python.status, 0, python.stderr);
  const printed: string[] = JSON.parse(python.stdout);
  return programs.map(({ wording }, at) => ({ wording, answer: printed[at] ?? '' }));
}

describe('code_tracing', () => {
  it('agrees with Python on what the code does [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkTasks(code_tracing, 'full', runAll);
    checkTasks(code_tracing, 'small', runAll);
  });

  it('shows functions of 5 to 12 lines, twelve in all, and strings in lowercase', () => {
    const names = new Set<string>();
    for (const { prompt, checking, answer } of drawTasks(code_tracing, 'full')) {
      const [, name = '', body = ''] = /def (\w+)\(.*\n((?: {4}.*\n)+)/.exec(prompt) ?? [];
      names.add(name);
      const lines = body.trimEnd().split('\n').length + 1;
      assert.ok(lines >= 5 && lines <= 12, prompt);
      assert.match(answer, checking === 'integer' ? /^\d+$/ : /^[a-z]+$/);
    }
    assert.equal(names.size, 12);
  });
});
