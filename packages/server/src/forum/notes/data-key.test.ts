import assert from 'node:assert/strict';
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { system_random } from '../../random.ts';
import { digestSecret } from '../../secrets.ts';
import { mintToken } from '../accounts/token.ts';
import {
  newDataKey,
  openWithPassphrase,
  openWithToken,
  wrapUnderPassphrase,
  wrapUnderToken,
} from './data-key.ts';
import { noteBoxes } from './note-box.ts';
import { passphraseGate } from './passphrase-gate.ts';

const random = system_random;

/** Opens a box of AES-256-GCM with nothing of ours. */
function openBox(box: Buffer, key: Buffer, bound_to: string): Buffer {
  const opening = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12));
  opening.setAAD(Buffer.from(bound_to)).setAuthTag(box.subarray(-16));
  return Buffer.concat([opening.update(box.subarray(12, -16)), opening.final()]);
}

test('a data key opens with its token and with nothing else [FORUM-196]', () => {
  const data_key = newDataKey(random);
  const token = mintToken(random);
  const wrap = wrapUnderToken(random, 7, token, data_key);
  assert.deepEqual(wrap.token_digest, digestSecret(token));
  assert.deepEqual(openWithToken({ id: 7, ...wrap }, token), data_key);
  assert.throws(() => openWithToken({ id: 8, ...wrap }, token), 'another account');
  assert.throws(() => openWithToken({ id: 7, ...wrap }, mintToken(random)), 'another token');
  assert.throws(() => openWithToken({ id: 7, ...wrap }, 'ft_short'), 'no token');
  assert.throws(() => openWithToken({ id: 7, token_salt: null, token_wrap: null }, token));

  const key = hkdfSync(
    'sha256',
    Buffer.from(token.slice(3), 'base64url'),
    wrap.token_salt,
    'stoa-forum-token-wrap-v1',
    32,
  );
  assert.deepEqual(openBox(wrap.token_wrap, Buffer.from(key), '7'), data_key);
});

test('a data key opens with its passphrase, however its letters are composed, and with no other [FORUM-207]', async () => {
  const gate = passphraseGate(random);
  const data_key = newDataKey(random);
  const derived = await gate.newKey('caf\u00e9 au lait, s\u2019il');
  const wrap = wrapUnderPassphrase(random, 7, derived, data_key);
  const again = await gate.key('cafe\u0301 au lait, s\u2019il', wrap.passphrase_salt);
  assert.deepEqual(openWithPassphrase({ id: 7, ...wrap }, again), data_key);
  assert.equal(openWithPassphrase({ id: 8, ...wrap }, again), undefined);
  const other = await gate.key('cafe au lait, s\u2019il', wrap.passphrase_salt);
  assert.equal(openWithPassphrase({ id: 7, ...wrap }, other), undefined);
  assert.equal(openWithPassphrase({ id: 7, passphrase_wrap: null }, again), undefined);
});

test('the boxes of a note open in their own row and part alone [FORUM-195] [FORUM-197]', () => {
  const data_key = newDataKey(random);
  const mine = noteBoxes(random, 7, data_key);
  const name_digest = mine.nameDigest('journal/one');
  const other_digest = mine.nameDigest('journal/two');
  const head = { name: 'journal/one', tags: ['memory'], created_at: 1, updated_at: 2 };
  const head_box = mine.sealHead(name_digest, head);
  const text_box = mine.sealText(name_digest, 'words');
  assert.deepEqual(mine.openHead({ name_digest, head_box }), head);
  assert.equal(mine.openText({ name_digest, text_box }), 'words');
  assert.throws(() => mine.openHead({ name_digest: other_digest, head_box }));
  assert.throws(() => mine.openText({ name_digest: other_digest, text_box }));
  assert.throws(() => mine.openText({ name_digest, text_box: head_box }));

  const same_key = noteBoxes(random, 8, data_key);
  assert.throws(() => same_key.openHead({ name_digest, head_box }), 'another account');
  const theirs = noteBoxes(random, 8, newDataKey(random));
  assert.notDeepEqual(theirs.nameDigest('journal/one'), name_digest);
});
