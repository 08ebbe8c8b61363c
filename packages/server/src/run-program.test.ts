import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongOutputError, runProgram, startProgram } from './run-program.ts';

const bounds = { time_ms_max: 20_000, memory_kib_max: 1_048_576, octets_max: 10_000 };
const sh = (text: string) => ({ program: 'sh', args: ['-c', text], ...bounds });

test('runProgram answers output, code and complaints, with nothing of our environment', async () => {
  const said = await runProgram({ ...sh('env; echo bad >&2; exit 3'), env: { OWN: '1' } });
  assert.equal(said.code, 3);
  assert.equal(said.stderr, 'bad\n');
  const names = said.output
    .toString()
    .split('\n')
    .map((line) => line.split('=')[0]);
  const own = new Set(['PATH', 'LC_ALL', 'OWN', 'PWD', 'OLDPWD', 'SHLVL', '_', '']);
  assert.deepEqual(
    names.filter((name) => !own.has(name ?? '')),
    [],
  );
  assert.ok(names.includes('OWN'));
});

test('runProgram hands arguments on as they are', async () => {
  const args = ['%s|', 'a b', '$(exit 1)', "'", '', '-n'];
  const { output } = await runProgram({ program: 'printf', args, ...bounds });
  assert.equal(output.toString(), "a b|$(exit 1)|'||-n|");
});

test('a program that does not exist ends with 127', async () => {
  for (const program of ['/nowhere/git', 'no-such-program-here']) {
    assert.equal((await runProgram({ program, args: [], ...bounds })).code, 127);
  }
});

test('runProgram kills what says, takes or lasts more than it may', async () => {
  await assert.rejects(runProgram(sh('yes')), LongOutputError);
  const late = await runProgram({ ...sh('exec sleep 30'), time_ms_max: 100 });
  assert.equal(late.code, null);
  const gone = new AbortController();
  const stopped = runProgram({ ...sh('exec sleep 30'), signal: gone.signal });
  gone.abort();
  assert.equal((await stopped).code, null);
  const greedy = await runProgram({
    ...sh('x=$(head -c 400000000 /dev/zero | tr "\\0" a); echo done'),
    memory_kib_max: 100_000,
  });
  assert.doesNotMatch(greedy.output.toString(), /done/);
});

test('startProgram lives with a program that ends before it has read all', async () => {
  const { stdin, stdout, ended } = startProgram(sh('echo enough'));
  stdout.resume();
  for (let count = 0; count < 100; count += 1) stdin.write(Buffer.alloc(100_000));
  stdin.end();
  assert.equal((await ended).code, 0);
});
