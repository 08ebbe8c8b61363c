import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Head, LogEntry } from './log.ts';
import { RecentEntries } from './recent-entries.ts';

const empty: Head = { position: 0, entries: 0, hash: undefined };

/** Appends `count` entries to a stream, at every other position, and answers them. */
function append(recent: RecentEntries, stream: string, count: number, before = empty, body = 'x') {
  let head = before;
  return Array.from({ length: count }, (): LogEntry => {
    const position = head.position + 2;
    const entry = { stream, position, at: 0, prev_hash: undefined, hash: undefined, body };
    recent.add(entry, head);
    head = { position, entries: head.entries + 1, hash: undefined };
    return entry;
  });
}

describe('RecentEntries', () => {
  test('answers every page after the place from which it has all, and none before it', () => {
    const recent = new RecentEntries();
    const stored = append(recent, 'a', 500);
    let kept = 0;
    for (let after = 0; after <= 1_002; after += 1) {
      const page = recent.readAfter('a', after, 7);
      if (page === undefined) {
        assert.equal(kept, 0, `a gap at ${after}`);
        continue;
      }
      kept += 1;
      assert.deepEqual(page, stored.filter(({ position }) => position > after).slice(0, 7));
    }
    assert(kept >= 128 && kept <= 2 * 128 + 3);
    assert.deepEqual(recent.head('a'), { position: 1_000, entries: 500, hash: undefined });
  });

  test('knows nothing of what came before the first entry it saw', () => {
    const recent = new RecentEntries();
    const [entry] = append(recent, 'a', 1, { position: 40, entries: 3, hash: undefined });
    assert.equal(recent.readAfter('a', 39, 10), undefined);
    assert.deepEqual(recent.readAfter('a', 40, 10), [entry]);
    assert.deepEqual(recent.readAfter('a', 42, 10), []);
    assert.equal(recent.readAfter('b', 0, 10), undefined);
    assert.equal(recent.head('b'), undefined);
    assert.equal(recent.head('a')?.entries, 4);
  });

  test('forgets the streams that were quiet for longest when they are too much together', () => {
    const recent = new RecentEntries();
    const body = 'x'.repeat(1_000_000);
    for (let n = 0; n < 40; n += 1) append(recent, `stream ${n}`, 1, empty, body);
    const kept = Array.from({ length: 40 }, (_, n) => recent.head(`stream ${n}`) !== undefined);
    assert.equal(kept.indexOf(true), 24);
    assert.equal(kept.filter(Boolean).length, 16);
  });
});
