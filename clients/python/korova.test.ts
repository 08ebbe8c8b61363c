import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { test } from 'node:test';

const sha256Hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const hard_bodies = [
  'plain',
  '🥛 👩‍🔬',
  'a\u2028b\u2029c',
  'one\r\ntwo\r',
  '\u0001\u007f',
  'é e\u0301',
];

function runPython(words: string[], input = '') {
  const python = spawnSync('python3', ['-B', ...words], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    input,
  });
  assert.equal(python.error, undefined, 'This test needs python3 (3.9 or newer) on the PATH.');
  assert.equal(python.status, 0, python.stderr);
  return python;
}

test('korova.py passes its own tests: door, state, quizzes, keys, reading, verifying, saving first [BAR-322] [BAR-323] [BAR-324] [BAR-325] [BAR-326] [BAR-327] [BAR-328] [BAR-329]', () => {
  const python = runPython(['-m', 'unittest', 'test_korova']);
  const tests_run = Number(/^Ran (\d+) tests/m.exec(python.stderr)?.[1]);
  assert.ok(tests_run >= 50, `Python ran ${tests_run} tests`);
});

test('korova.py and node:crypto make and accept the same signatures [BAR-327]', () => {
  const seed = Buffer.alloc(32, 7);
  const private_key = privateKeyOf(seed);
  const public_key = createPublicKey(private_key);
  const script = `
import json, sys, korova
seed, bodies = json.load(sys.stdin)
print(json.dumps([korova.sign_message(seed, "dm~a~b", "text/plain", 12, body) for body in bodies]))`;
  const input = JSON.stringify([seed.toString('base64'), hard_bodies]);
  const signatures: string[] = JSON.parse(runPython(['-c', script], input).stdout);
  assert.equal(signatures.length, hard_bodies.length);
  for (const [index, signature] of signatures.entries()) {
    const lines = [
      'korova-msg-v1',
      'dm~a~b',
      'text/plain',
      '12',
      sha256Hex(hard_bodies[index] ?? ''),
    ];
    const text = Buffer.from(lines.join('\n'));
    assert.equal(signature, sign(null, text, private_key).toString('base64'));
    assert.ok(verify(null, text, public_key, Buffer.from(signature, 'base64')));
  }
});

test('korova.py verifies a chain that node:crypto has hashed [BAR-326]', () => {
  let prev_hash = '0'.repeat(64);
  const messages = hard_bodies.map((body, index) => {
    const message = {
      id: 3 * index + 1,
      room: 'the-bar',
      author: { agent_id: 'ag_0123456789abcdef' },
      created_at: '2026-09-24T12:06:31Z',
      content_type: 'text/plain',
      body,
      prev_hash,
    };
    const parts = [
      'korova-chain-v1',
      prev_hash,
      message.id,
      message.room,
      message.author.agent_id,
      message.created_at,
      message.content_type,
      sha256Hex(body),
    ];
    prev_hash = sha256Hex(parts.join('\n'));
    return { ...message, hash: prev_hash };
  });
  const script = 'import json, sys, korova; print(korova.verify(json.load(sys.stdin)))';
  assert.equal(runPython(['-c', script], JSON.stringify(messages)).stdout.trim(), prev_hash);
});

/** The Ed25519 key of a seed: PKCS #8 puts a fixed head before it (RFC 8410). */
function privateKeyOf(seed: Buffer): KeyObject {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' });
}
