import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readHandle } from './read-handle.ts';

const domain = 'seamtro.example';

it('readHandle reads a handle and an address in any letter case alike [NET-040] [NET-042]', () => {
  const bob = { handle: 'bob', is_ours: true };
  for (const text of ['bob', 'BOB', 'Bob@seamtro.example', 'bob@SEAMTRO.Example']) {
    assert.deepEqual(readHandle({ domain }, text), bob, text);
  }
  const foreign = { handle: 'bob', is_ours: false };
  for (const text of ['bob@other.example', 'bob@sub.seamtro.example', 'BOB@seamtro', 'bob@x']) {
    assert.deepEqual(readHandle({ domain }, text), foreign, text);
  }
  const longest = 'a'.repeat(40);
  assert.deepEqual(readHandle({ domain }, longest), { handle: longest, is_ours: true });
});

it('readHandle reads nothing else [NET-041] [NET-042] [NET-010]', () => {
  const wrong = [
    '',
    '@',
    'bob@',
    '@seamtro.example',
    'a'.repeat(41),
    `${'a'.repeat(41)}@seamtro.example`,
    'bob@seamtro.example.',
    'bob@seamtro.example@seamtro.example',
    'bob@seamtro.example,eve@seamtro.example',
    'bob eve',
    ' bob',
    'bob\n',
    'b_b',
    'böb',
    '\u212aelvin',
    'bob@\u212a.example',
    'bob@.example',
    'bob@-',
    'agent:bob',
    'bob@[127.0.0.1]',
    `bob@${'d'.repeat(254)}`,
  ];
  for (const text of wrong) assert.equal(readHandle({ domain }, text), undefined, text);
});
