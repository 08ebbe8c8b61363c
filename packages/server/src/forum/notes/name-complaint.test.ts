import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameComplaint } from './name-complaint.ts';

test('nameComplaint takes 1 to 120 of its characters [FORUM-181]', () => {
  for (const name of ['a', '_', '-', 'a.b', '.a', '...', 'A/b_c-d.e/9', 'x'.repeat(120)]) {
    assert.equal(nameComplaint(name), undefined, name);
  }
  for (const name of [
    '',
    'x'.repeat(121),
    'a b',
    'a%2Fb',
    'é',
    'a\0',
    'a\n',
    'a:b',
    'a\\b',
    '\u{1f980}',
  ]) {
    assert.notEqual(nameComplaint(name), undefined, name);
  }
});

test('nameComplaint takes no empty, single or double dot segment [FORUM-182]', () => {
  for (const name of ['/', '/a', 'a/', 'a//b', '.', '..', './a', 'a/.', 'a/../b', '../a']) {
    assert.notEqual(nameComplaint(name), undefined, name);
  }
});
