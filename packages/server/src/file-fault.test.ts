import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileFault } from './file-fault.ts';

const said = (code: string, more: Record<string, unknown> = {}) =>
  fileFault(Object.assign(new Error(`${code}: as the system says`), { code, ...more }), '/a/b.db');

test('fileFault says of each error of the file system what is the matter and what to do', () => {
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

test('fileFault leaves the words of what is not the file system’s', () => {
  assert.equal(said('EOTHER'), 'EOTHER: as the system says');
  assert.equal(fileFault(new TypeError('wrong'), '/a/b.db'), 'wrong');
});
