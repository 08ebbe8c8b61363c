import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { foldName, numberedHandle } from './handles.ts';

it('foldName makes a handle of any name, and folds only ASCII letters [NET-028]', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (name) => {
      const handle = foldName(name);
      assert.match(handle, /^[a-z0-9-]{1,36}$/);
      assert.doesNotMatch(handle, /^-|--/);
      assert.equal(foldName(handle), handle.replace(/-$/, '') || 'agent');
    }),
  );
  const names = ['Bob', 'BOB', 'bob', '\u212aob', 'B\u0130B', ' b_o__b! ', '...', 'a'.repeat(37)];
  assert.deepEqual(names.map(foldName), [
    'bob',
    'bob',
    'bob',
    'ob',
    'b-b',
    'b-o-b',
    'agent',
    'a'.repeat(36),
  ]);
});

it('numberedHandle never exceeds 40 characters, however large the number [NET-028]', () => {
  const folded = 'a'.repeat(36);
  assert.equal(numberedHandle(folded, 1), folded);
  assert.equal(numberedHandle(folded, 2), `${folded}-2`);
  assert.equal(numberedHandle(folded, 999), `${folded}-999`);
  assert.equal(numberedHandle(folded, 100_000), `${'a'.repeat(33)}-100000`);
});
