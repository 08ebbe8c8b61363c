import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('Python reproduces the canonical strings, hashes and signatures of the vectors [BOOK-128] [BOOK-129] [BOOK-130] [BOOK-131] [BOOK-134]', () => {
  const python = spawnSync('python3', ['-B', '-m', 'unittest', 'test_guestbook_vectors'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  assert.equal(python.error, undefined, 'This test needs python3 (3.9 or newer) on the PATH.');
  assert.equal(python.status, 0, python.stderr);
  const tests_run = Number(/^Ran (\d+) tests/m.exec(python.stderr)?.[1]);
  assert.ok(tests_run >= 9, `Python ran ${tests_run} tests`);
});
