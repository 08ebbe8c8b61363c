import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartError, startFault } from './start-fault.ts';

const settings = {
  data: './data',
  host: 'house.example',
  metrics: { host: '127.0.0.1', port: 9464 },
};

const said = (properties: Record<string, unknown>): string => {
  const fault = startFault(Object.assign(new Error('as the system says'), properties), settings);
  assert.ok(fault instanceof StartError, String(fault));
  return fault.message;
};

test('startFault names the setting that decides about a door', () => {
  const listen = { syscall: 'listen', address: '127.0.0.1' };
  const main = { ...listen, port: 80 };
  const metrics = { ...listen, port: 9464 };
  assert.match(said({ ...main, code: 'EADDRINUSE' }), /^port 80 on 127.* with --port$/);
  assert.match(said({ ...metrics, code: 'EADDRINUSE' }), /^port 9464 .* with metrics\.port$/);
  assert.match(said({ ...main, code: 'EADDRNOTAVAIL' }), /127\.0\.0\.1.* with --host$/);
  assert.match(said({ ...metrics, code: 'EADDRNOTAVAIL' }), / with metrics\.host$/);
  assert.match(said({ ...main, code: 'EACCES' }), /^this user may not open port 80;.*--port$/);
  assert.match(
    said({ syscall: 'listen', address: 'data/admin.sock', port: -1, code: 'EADDRINUSE' }),
    /^another house is open on this data folder/,
  );
  const lookup = { syscall: 'getaddrinfo', code: 'ENOTFOUND' };
  assert.match(said({ ...lookup, hostname: 'house.example' }), /house\.example.* with --host$/);
});

test('startFault tells the folder, the file and the database apart', () => {
  assert.match(said({ syscall: 'mkdir', code: 'EACCES' }), /^the data folder \.\/data cannot be/);
  for (const code of ['ENOSPC', 'SQLITE_FULL']) {
    assert.match(said({ code }), /^the disk of the data folder \.\/data is full; make room on it$/);
  }
  assert.match(said({ code: 'SQLITE_NOTADB' }), /^the database in \.\/data is no SQLite database/);
  assert.match(
    said({ code: 'SQLITE_BUSY' }),
    /^another house is open on this data folder \(.* is locked\)$/,
  );
  const lookup = { syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'db.example' };
  assert.match(said(lookup), /^the database could not be reached/);
  assert.match(said({ code: '3D000' }), /^the database refused: as the system says$/);
});

test('startFault leaves a bug as it is, to be shown whole', () => {
  const bug = new TypeError('x is not a function');
  assert.equal(startFault(bug, settings), bug);
  assert.equal(startFault('thrown', settings), 'thrown');
});
