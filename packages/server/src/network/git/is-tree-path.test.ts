import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTreePath } from './is-tree-path.ts';

test('isTreePath tells where git may have a file', () => {
  const may = [
    'agent.json',
    'sub/style.css',
    '...',
    '.github/x',
    'a\\b',
    ':(top)x',
    '-x',
    'a b\n',
    ' ',
    'ä',
  ];
  for (const path of may) assert.equal(isTreePath(path), true, path);
  const may_not = [
    '',
    '/',
    '//',
    '/agent.json',
    '//agent.json',
    'agent.json/',
    'sub//x',
    '.',
    './agent.json',
    '..',
    '../x',
    'sub/../agent.json',
    'sub/..',
    '../../../etc/passwd',
    '/etc/passwd',
    '.git/config',
    'sub/.GIT/x',
    'a\0b',
    '\ud800',
  ];
  for (const path of may_not) assert.equal(isTreePath(path), false, path);
});
