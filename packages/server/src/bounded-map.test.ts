import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoundedMap } from './bounded-map.ts';

const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
const step = fc.record({
  what: fc.constantFrom('set', 'set', 'set', 'delete', 'clear'),
  key: fc.constantFrom(...keys),
  value: fc.nat(),
});

test('a bounded map holds the entries that came last, whatever was deleted between', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step), (entries_max, steps) => {
      const map = new BoundedMap<number>(entries_max);
      let expected: [string, number][] = [];
      for (const { what, key, value } of steps) {
        const known = expected.find(([name]) => name === key);
        if (what === 'clear') {
          map.clear();
          expected = [];
        } else if (what === 'delete') {
          map.delete(key);
          expected = expected.filter((entry) => entry !== known);
        } else {
          map.set(key, value);
          if (known) known[1] = value;
          else expected = [...expected, [key, value] as [string, number]].slice(-entries_max);
        }
        assert.deepEqual(
          keys.map((name) => map.get(name)),
          keys.map((name) => expected.find(([one]) => one === name)?.[1]),
        );
        assert.equal(map.size, expected.length);
      }
    }),
  );
});

test('to put out the oldest entry takes as long in a large map as in a small one', () => {
  const timeOf = (entries_max: number) => {
    const map = new BoundedMap<number>(entries_max);
    const putting = (from: number) => {
      const began_at = performance.now();
      for (let at = 0; at < 50_000; at += 1) map.set(`key ${from + at}`, at);
      return performance.now() - began_at;
    };
    for (let filled = 0; filled < entries_max; filled += 50_000) putting(filled);
    return Math.min(...[1, 2, 3].map((turn) => putting(turn * 1_000_000)));
  };
  // Some ten times as long, were it looked for from the beginning.
  assert.ok(timeOf(100_000) < 8 * timeOf(1_000) + 20);
});
