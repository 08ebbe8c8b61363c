import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { type Link, type Log, openLog, type Sealed } from './log.ts';
import { log_migrations } from './log-tables.ts';

const seal =
  (text: string) =>
  ({ position, prev_hash }: Link): Sealed => {
    const body = `${position} ${prev_hash?.toString('hex') ?? '-'} ${text}`;
    return { body, hash: createHash('sha256').update(body).digest() };
  };

const append = (storage: Storage, log: Log, stream: string, text: string) =>
  storage.transact((tx) => log.append(tx, { stream, at: 7, seal: seal(text) }));

/** Every entry of a stream, read in pages as a follower does, held to its chain. */
async function readChain(log: Log, stream: string): Promise<string[]> {
  const texts: string[] = [];
  let after = 0;
  let prev: Buffer | undefined;
  for (;;) {
    const page = await log.readAfter(stream, after, 7);
    if (page.length === 0) return texts;
    for (const entry of page) {
      assert.equal(entry.position, after + 1, 'positions have no gap');
      assert.deepEqual(entry.prev_hash, prev, 'the entry continues the one before');
      assert.deepEqual(createHash('sha256').update(entry.body).digest(), entry.hash);
      texts.push(entry.body.split(' ').slice(2).join(' '));
      after = entry.position;
      prev = entry.hash;
    }
  }
}

forEachEngine((engine) => {
  test('append gives positions from 1 and chains each entry to the one before', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    assert.deepEqual(await log.head('s'), { position: 0, entries: 0, hash: undefined });
    const first = await append(kept.storage, log, 's', 'one');
    const second = await append(kept.storage, log, 's', 'two');
    assert.equal(first.position, 1);
    assert.equal(first.prev_hash, undefined);
    assert.deepEqual(second.prev_hash, first.hash);
    assert.deepEqual(await log.head('s'), { position: 2, entries: 2, hash: second.hash });
    assert.deepEqual(await log.readAt([{ stream: 's', position: 2 }]), [second]);
    assert.deepEqual(await log.readBefore('s', 3, 9), [second, first]);
    assert.deepEqual(await readChain(log, 's'), ['one', 'two']);
  });

  test('heads answers the ends of the streams that have entries', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    assert.deepEqual(await log.heads([]), new Map());
    const streams = Array.from({ length: 300 }, (_, index) => `s${index}`);
    const written = streams.filter((_, index) => index % 7 === 0);
    for (const stream of written) await append(kept.storage, log, stream, 'one');
    const heads = await log.heads(streams);
    assert.deepEqual([...heads.keys()].sort(), written.toSorted());
    for (const stream of written) assert.deepEqual(heads.get(stream), await log.head(stream));
  });

  test('headWithin sees what units before it have appended, and not what was undone', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    await append(kept.storage, log, 's', 'one');
    const seen: number[] = [];
    await Promise.allSettled(
      [false, true, false].map((is_undone) =>
        kept.storage.transact(async (tx) => {
          await log.append(tx, { stream: 's', at: 7, seal: seal('more') });
          seen.push((await log.headWithin(tx, 's')).position);
          if (is_undone) throw new Error('undone');
        }),
      ),
    );
    assert.deepEqual(seen, [2, 3, 3]);
    assert.equal((await log.head('s')).position, 3);
  });

  test('append keeps what was kept and nothing else, whatever is undone around it', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    let round = 0;
    const works = fc.array(
      fc.record({
        streams: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }),
        is_undone: fc.boolean(),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(works, async (list) => {
        round += 1;
        const names = new Map(['a', 'b', 'c'].map((name) => [name, `${name}${round}`]));
        const expected = new Map([...names.values()].map((name) => [name, [] as string[]]));
        await Promise.allSettled(
          list.map(({ streams, is_undone }, index) =>
            kept.storage.transact(async (tx) => {
              for (const [nth, stream] of streams.entries()) {
                const name = names.get(stream) ?? '';
                await log.append(tx, { stream: name, at: 7, seal: seal(`${index}.${nth}`) });
                if (!is_undone) expected.get(name)?.push(`${index}.${nth}`);
              }
              if (is_undone) throw new Error('undone');
            }),
          ),
        );
        for (const [name, texts] of expected) assert.deepEqual(await readChain(log, name), texts);
      }),
      { numRuns: 25 },
    );
  });

  test('streams numbered by one sequence have ascending positions and chains of their own', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const log = openLog(kept.storage);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 90 }, (_, index) =>
        kept.storage.transact(async (tx) => {
          const stream = `room ${index % 3}`;
          const numbered_by = 'rooms';
          const entry = await log.append(tx, {
            stream,
            numbered_by,
            at: 7,
            seal: seal(`${index}`),
          });
          if (index % 5 === 0) throw new Error('undone');
          return entry;
        }),
      ),
    );
    const kept_entries = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    assert.deepEqual(
      kept_entries.map(({ position }) => position),
      Array.from({ length: 72 }, (_, index) => index + 1),
    );
    for (const room of ['room 0', 'room 1', 'room 2']) {
      const entries = await log.readAfter(room, 0, 100);
      assert.deepEqual(
        entries,
        kept_entries.filter(({ stream }) => stream === room),
      );
      for (const [index, entry] of entries.entries()) {
        assert.deepEqual(entry.prev_hash, entries[index - 1]?.hash);
      }
      const last = entries.at(-1);
      assert.deepEqual(await log.head(room), {
        position: last?.position,
        entries: entries.length,
        hash: last?.hash,
      });
    }
    assert.deepEqual(await log.readAt(kept_entries.slice(7, 20)), kept_entries.slice(7, 20));
  });

  test('a follower never skips an entry that others append', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(log_migrations);
    const storages =
      engine === 'postgres' ? [kept.storage, kept.beside(), kept.beside()] : [kept.storage];
    const writers = storages.map((storage) => ({ storage, log: openLog(storage) }));
    const total = 600;
    let done = 0;
    const writing = Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const writer = writers[index % writers.length];
        while (writer && done < total) {
          done += 1;
          // Two streams and a unit of uneven length, so that commits overlap in every order.
          await writer.storage.transact(async (tx) => {
            if (index % 2 === 0) await writer.log.head('followed');
            await writer.log.append(tx, { stream: 'followed', at: 7, seal: seal(`${index}`) });
            if (index % 3 === 0)
              await writer.log.append(tx, { stream: 'other', at: 7, seal: seal(`${index}`) });
          });
        }
      }),
    );
    const reader = openLog(storages.at(-1) ?? kept.storage);
    let after = 0;
    let is_over = false;
    void writing.finally(() => {
      is_over = true;
    });
    while (true) {
      const was_over = is_over;
      const page = await reader.readAfter('followed', after, 50);
      for (const entry of page) {
        assert.equal(entry.position, after + 1, 'a follower saw a later entry first');
        after = entry.position;
      }
      if (page.length === 0 && was_over) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    assert.equal(after, total);
    assert.equal((await readChain(reader, 'followed')).length, total);
    await readChain(reader, 'other');
  });
});
