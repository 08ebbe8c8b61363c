import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFault, writeFault } from './file-faults.ts';

const said = (code: string, more: Record<string, unknown> = {}) =>
  writeFault(Object.assign(new Error(`${code}: as the system says`), { code, ...more }), '/a/b.db');

test('writeFault says of each error of the file system what is the matter and what to do', () => {
  assert.match(said('EEXIST', { path: '/a/b.db.git' }), /^\/a\/b\.db\.git exists already; name /);
  assert.match(said('ENOENT', { path: '/a/b.db.git' }), /^there is no folder \/a; make it first/);
  assert.match(said('ENOTDIR'), /^\/a is no folder; name/);
  assert.match(said('EISDIR'), /^\/a\/b\.db is a folder; name/);
  for (const code of ['EACCES', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']) {
    assert.match(said(code), /^the user who runs the house may not write to \/a\/b\.db; let it/);
  }
  assert.match(said('EROFS'), /^nothing can be written to \/a\/b\.db, .*read-only; name/);
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']) {
    assert.match(
      said(code, { path: '/data/x', dest: '/a/x' }),
      /^there is no room left .* \/a\/x;/,
    );
  }
  assert.match(said('ENAMETOOLONG'), /^\/a\/b\.db is too long for a name; name it shorter$/);
});

test('readFault says of each error of the file system what is the matter', () => {
  const said = (code: string) =>
    readFault(Object.assign(new Error('as the system says'), { code }));
  assert.equal(said('ENOENT'), 'there is no such file');
  assert.equal(said('EISDIR'), 'it is a folder');
  assert.match(said('EACCES'), /^the user who runs the house may not read it; /);
  assert.equal(said('EOTHER'), 'as the system says');
});

test('writeFault leaves the words of what is not the file system’s', () => {
  assert.equal(said('EOTHER'), 'EOTHER: as the system says');
  assert.equal(writeFault(new TypeError('wrong'), '/a/b.db'), 'wrong');
});
