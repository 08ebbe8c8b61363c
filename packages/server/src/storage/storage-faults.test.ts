import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresFault } from './postgres/postgres-faults.ts';
import { sqliteFault } from './sqlite/sqlite-faults.ts';
import { StorageUnavailableError } from './storage.ts';

const coded = (code: string) => Object.assign(new Error('as the driver says'), { code });

test('postgresFault tells a database that is away from a statement that is wrong', () => {
  const away = [
    ...['08006', '25P03', '25006', '53300', '53100', '55000', '55P03', '57014'].map(coded),
    ...['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND'].map(coded),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
  ];
  for (const error of away) {
    const fault = postgresFault(error);
    assert.ok(fault instanceof StorageUnavailableError, String(error));
    assert.equal(fault.cause, error);
    assert.equal(postgresFault(fault), fault);
  }
  const wrong = [
    ...['22021', '23505', '25P02', '40P01', '42P01', '42601', 'XX000'].map(coded),
    new RangeError('an integer column exceeds 53 bits'),
    'thrown',
  ];
  for (const error of wrong) assert.equal(postgresFault(error), error);
});

test('sqliteFault tells a file that cannot be used from a statement that is wrong', () => {
  for (const code of ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN']) {
    const fault = sqliteFault(coded(code));
    assert.ok(fault instanceof StorageUnavailableError, code);
  }
  for (const code of ['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CORRUPT']) {
    const error = coded(code);
    assert.equal(sqliteFault(error), error);
  }
});
