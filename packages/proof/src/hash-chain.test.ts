import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { genesis_hash, linkFault, verifyChain } from './hash-chain.ts';
import { sha256Hex } from './sha256.ts';

type Item = { body: string; prev_hash: string; hash: string; withheld?: true };

const rule = {
  linkOf: (item: Item) => item,
  hashOf: (item: Item) => (item.withheld ? undefined : sha256Hex(item.prev_hash + item.body)),
};

function chainOf(bodies: readonly string[], start = genesis_hash): Item[] {
  let prev_hash = start;
  return bodies.map((body) => {
    const item = { body, prev_hash, hash: sha256Hex(prev_hash + body) };
    prev_hash = item.hash;
    return item;
  });
}

const bodies = fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 12 });

test('verifyChain holds a chain as it was made, whole or from any place on', () => {
  fc.assert(
    fc.property(bodies, fc.nat(), (texts, pick) => {
      const items = chainOf(texts);
      const head = items.at(-1)?.hash;
      assert.deepEqual(verifyChain(items, rule), { ok: true, count: items.length, head });
      const from = pick % items.length;
      const start = items[from]?.prev_hash ?? genesis_hash;
      const count = items.length - from;
      assert.deepEqual(verifyChain(items.slice(from), { ...rule, start }), {
        ok: true,
        count,
        head,
      });
    }),
  );
});

test('verifyChain of nothing answers the start', () => {
  assert.deepEqual(verifyChain([], rule), { ok: true, count: 0, head: genesis_hash });
});

test('verifyChain names the item whose content was changed', () => {
  fc.assert(
    fc.property(bodies, fc.nat(), (texts, pick) => {
      const position = pick % texts.length;
      const items = chainOf(texts).map((item, at) =>
        at === position ? { ...item, body: `${item.body}!` } : item,
      );
      assert.deepEqual(verifyChain(items, rule), { ok: false, position, fault: 'hash' });
    }),
  );
});

test('verifyChain names the item after one that was left out', () => {
  const items = chainOf(['a', 'b', 'c']).toSpliced(1, 1);
  assert.deepEqual(verifyChain(items, rule), { ok: false, position: 1, fault: 'prev_hash' });
});

test('verifyChain checks a withheld item by its links alone', () => {
  const items = chainOf(['a', 'b', 'c']).map((item, at): Item => {
    return at === 1 ? { ...item, body: '', withheld: true } : item;
  });
  assert.equal(verifyChain(items, rule).ok, true);
  const forged = items.map((item, at) => (at === 1 ? { ...item, hash: genesis_hash } : item));
  assert.deepEqual(verifyChain(forged, rule), { ok: false, position: 2, fault: 'prev_hash' });
});

test('linkFault looks at the own hash first', () => {
  const link = { prev_hash: 'p', hash: 'h' };
  assert.equal(linkFault(link, { hash: 'h', prev_hash: 'p' }), undefined);
  assert.equal(linkFault(link, { hash: undefined, prev_hash: 'p' }), undefined);
  assert.equal(linkFault(link, { hash: 'x', prev_hash: 'x' }), 'hash');
  assert.equal(linkFault(link, { hash: 'h', prev_hash: 'x' }), 'prev_hash');
});
