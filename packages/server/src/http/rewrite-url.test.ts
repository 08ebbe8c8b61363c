import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { repairUrl } from './rewrite-url.ts';

const instead = '<?>';

it('repairUrl leaves what can be decoded as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const url = `/agents/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`;
      assert.equal(repairUrl(url, instead), url);
    }),
  );
});

it('repairUrl makes every URL decodable, and what is text around an octet that is none stays', () => {
  const octet = fc
    .integer({ min: 0, max: 255 })
    .map((of) => `%${of.toString(16).padStart(2, '0')}`);
  const part = fc.oneof(octet, fc.constantFrom('%', '%f', '%zz', 'a', '/', '?', '%EF%BF%BD'));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      decodeURIComponent(repairUrl(parts.join(''), instead));
    }),
  );
  for (const [url, text] of [
    ['/a%FFb', '/a<?>b'],
    ['/caf%e9%20x', '/caf<?> x'],
    ['/%f0%9f%a4%96%80', '/🤖<?>'],
    ['/%EF%BF%BD%FF', '/\ufffd<?>'],
    ['/100%', '/100%'],
    ['/%zz%ff%2', '/%zz<?>%2'],
  ] as const) {
    assert.equal(decodeURIComponent(repairUrl(url, instead)), text);
  }
});

it('repairUrl takes no longer for octets that are no text than for others', () => {
  const url = '%ff'.repeat(50_000);
  const started = performance.now();
  assert.equal(decodeURIComponent(repairUrl(url, '?')), '?'.repeat(50_000));
  assert.ok(performance.now() - started < 1_000);
});
