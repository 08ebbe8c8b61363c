import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { forEachEngine } from '../../../tests/support/engines.ts';
import { createDatabase } from '../../../tests/support/postgres.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';
import { type Random, system_random } from './random.ts';
import {
  digestSecret,
  equalDigests,
  hashPassphrase,
  houseKey,
  keyedDigest,
  mintSecret,
  passphraseKey,
  secrets_migrations,
  verifyPassphrase,
} from './secrets.ts';
import { openPostgres } from './storage/postgres/open-postgres.ts';
import { openSqlite } from './storage/sqlite/open-sqlite.ts';

const counting_random: Random = {
  bytes: (length) => Buffer.from(Array.from({ length }, (_, index) => index)),
  below: () => 0,
};

test('mintSecret is the prefix and 64 small hexadecimal digits of 32 random bytes', () => {
  assert.equal(
    mintSecret(counting_random, 'ks_'),
    'ks_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  );
  assert.notEqual(mintSecret(system_random, ''), mintSecret(system_random, ''));
});

test('digestSecret is SHA-256', () => {
  assert.equal(
    digestSecret('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('equalDigests tells equal from other, also of another length', () => {
  assert.equal(equalDigests(digestSecret('a'), digestSecret('a')), true);
  assert.equal(equalDigests(digestSecret('a'), digestSecret('b')), false);
  assert.equal(equalDigests(digestSecret('a'), digestSecret('a').subarray(1)), false);
  assert.equal(equalDigests(Buffer.alloc(0), digestSecret('a')), false);
});

test('keyedDigest is HMAC-SHA-256', () => {
  const key = Buffer.alloc(32, 1);
  assert.deepEqual(keyedDigest(key, 'é'), createHmac('sha256', key).update('é', 'utf8').digest());
  assert.notDeepEqual(keyedDigest(key, 'a'), keyedDigest(Buffer.alloc(32, 2), 'a'));
});

test('verifyPassphrase knows what hashPassphrase made, in any Unicode form', async () => {
  const stored = await hashPassphrase(system_random, 'Caf\u00e9 au lait');
  assert.match(stored, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(await verifyPassphrase('Caf\u00e9 au lait', stored), true);
  assert.equal(await verifyPassphrase('Cafe\u0301 au lait', stored), true);
  assert.equal(await verifyPassphrase('Cafe au lait', stored), false);
  assert.notEqual(await hashPassphrase(system_random, 'Caf\u00e9 au lait'), stored);
});

test('verifyPassphrase throws for what hashPassphrase never made', async () => {
  for (const stored of [
    '',
    'plain',
    '$argon2id$v=19$m=65536,t=3,p=1$c2FsdA',
    '$argon2i$v=19$m=65536,t=3,p=1$YWJj$YWJj',
  ]) {
    await assert.rejects(verifyPassphrase('x', stored), /no stored passphrase/);
  }
});

test('passphraseKey is argon2id at 64 MiB, 3 passes and 1 lane', async () => {
  const key = await passphraseKey('x', Buffer.alloc(16));
  assert.equal(
    key.toString('hex'),
    '716f71be8a02903919ba14b3af4dc828e760a109668737ccd70517213a5447de',
  );
});

forEachEngine((engine) => {
  test('houseKey is made once and is the same for every process, also later', async (t) => {
    const folder = temporaryFolder();
    t.after(() => folder.remove());
    const database = engine === 'postgres' ? await createDatabase() : undefined;
    const open = () =>
      database ? openPostgres(database.url, 2) : openSqlite(join(folder.path, 'stoa.db'));
    const first = open();
    await first.migrate(secrets_migrations);
    const second = engine === 'postgres' ? open() : first;
    const keys = await Promise.all(
      [first, second, first, second].map((storage) => houseKey(storage, system_random)),
    );
    await first.close();
    if (second !== first) await second.close();
    const later = open();
    keys.push(await houseKey(later, system_random));
    await later.close();
    await database?.drop();
    assert.equal(keys[0]?.length, 32);
    for (const key of keys) assert.deepEqual(key, keys[0]);
  });
});
