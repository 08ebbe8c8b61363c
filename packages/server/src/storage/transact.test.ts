import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import type { Migration } from './migrate.ts';
import type { Db, Storage, Tx } from './storage.ts';

const migrations: readonly Migration[] = [
  {
    name: 'test-001-words',
    async up(db, columns) {
      await db.schema
        .createTable('word')
        .addColumn('word', columns.text, (column) => column.primaryKey())
        .addColumn('at', columns.instant)
        .addColumn('octets', columns.bytes)
        .execute();
    },
  },
];

const add = (tx: Tx, word: string) => tx.db.insertInto('word').values({ word }).execute();

async function words(db: Db): Promise<string[]> {
  const rows: { word: string }[] = await db
    .selectFrom('word')
    .select('word')
    .orderBy('word')
    .execute();
  return rows.map(({ word }) => word);
}

async function opened(storage: Storage): Promise<Storage> {
  await storage.migrate(migrations);
  return storage;
}

forEachEngine((engine) => {
  test('transact resolves with the value once its rows are readable', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const value = await storage.transact(async (tx) => {
      await add(tx, 'one');
      return 42;
    });
    assert.equal(value, 42);
    assert.deepEqual(await words(storage.read), ['one']);
  });

  test('transact undoes a unit of work that throws, and no other of its batch', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        storage.transact(async (tx) => {
          await add(tx, `word ${String(index).padStart(2, '0')}`);
          if (index % 3 === 0) throw new RangeError(`no ${index}`);
          return index;
        }),
      ),
    );
    const kept_words = outcomes.flatMap((outcome, index) =>
      outcome.status === 'fulfilled' ? [`word ${String(index).padStart(2, '0')}`] : [],
    );
    assert.equal(kept_words.length, 33);
    assert.deepEqual(await words(storage.read), kept_words);
    const [first] = outcomes;
    assert(first?.status === 'rejected' && first.reason instanceof RangeError);
  });

  test('transact undoes alone a unit of work whose statement the database refuses', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const outcomes = await Promise.allSettled(
      ['same', 'same', 'other', 'same'].map((word) => storage.transact((tx) => add(tx, word))),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.deepEqual(await words(storage.read), ['other', 'same']);
  });

  test('transact shows nobody what is not committed yet', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    await storage.transact(async (tx) => {
      await add(tx, 'unseen');
      assert.deepEqual(await words(tx.db), ['unseen']);
      assert.deepEqual(await words(storage.read), []);
    });
    assert.deepEqual(await words(storage.read), ['unseen']);
  });

  test('transact runs units of work one after another', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const others = engine === 'postgres' ? [storage, kept.beside()] : [storage];
    const addIfFew = async (tx: Tx, word: string) => {
      if ((await words(tx.db)).length < 10) await add(tx, word);
    };
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (others[index % others.length] ?? storage).transact((tx) => addIfFew(tx, `word ${index}`)),
      ),
    );
    assert.equal((await words(storage.read)).length, 10);
  });

  test('units of work that keep coming, turn by turn, share a transaction, and a full one waits for no more', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    let batches = 0;
    let works = 0;
    const sizes: number[] = [];
    storage.join({
      begin() {
        batches += 1;
        works = 0;
      },
      mark() {
        works += 1;
        return 0;
      },
      restore() {},
      async flush() {
        sizes.push(works);
      },
    });
    // Each turn sees to its successor first, so that the next unit of work is there before the batch asks for it.
    const turns = (count: number) =>
      new Promise<void>((resolve, reject) => {
        const working: Promise<unknown>[] = [];
        const turn = () => {
          if (working.length + 1 < count) setImmediate(turn);
          working.push(storage.transact(async () => {}));
          if (working.length === count) Promise.all(working).then(() => resolve(), reject);
        };
        turn();
      });
    await turns(20);
    assert.deepEqual({ batches, sizes }, { batches: 1, sizes: [20] });
    await turns(300);
    assert.equal(sizes[1], engine === 'sqlite' ? 64 : 256);
  });

  test('a handle is of no use after its unit of work', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const leaked = await storage.transact(async (tx) => tx);
    assert.throws(() => leaked.db, /after its work had ended/);
  });

  test('effects and wake-ups come after the commit, and not from a unit that was undone', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const seen: string[] = [];
    const woken = new Set<string>();
    storage.onWake((topic) => void woken.add(topic));
    await Promise.allSettled([
      storage.transact(async (tx) => {
        await add(tx, 'kept');
        tx.wake('kept');
        tx.afterCommit(() => seen.push('kept'));
      }),
      storage.transact(async (tx) => {
        tx.wake('undone');
        tx.afterCommit(() => seen.push('undone'));
        throw new Error('no');
      }),
    ]);
    assert.deepEqual(seen, ['kept']);
    assert(woken.has('kept') && !woken.has('undone'));
  });

  test('close commits what was accepted and refuses what comes later', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const accepted = storage.transact((tx) => add(tx, 'accepted'));
    const closing = storage.close();
    await accepted;
    await assert.rejects(
      storage.transact((tx) => add(tx, 'late')),
      /closed/,
    );
    await closing;
  });

  test('values come back as they were stored: 53 bits, octets, code point order', async () => {
    await using kept = await openTestStorage(engine);
    const storage = await opened(kept.storage);
    const octets = Buffer.from([0, 1, 254, 255]);
    await storage.transact(async (tx) => {
      for (const word of ['b', 'B', 'a', 'é', 'Z', '\u{1F30D}', '\uFFFD']) {
        await tx.db
          .insertInto('word')
          .values({ word, at: Number.MAX_SAFE_INTEGER, octets })
          .execute();
      }
    });
    assert.deepEqual(await words(storage.read), ['B', 'Z', 'a', 'b', 'é', '\uFFFD', '\u{1F30D}']);
    const row = await storage.read.selectFrom('word').selectAll().executeTakeFirstOrThrow();
    assert.equal(row.at, Number.MAX_SAFE_INTEGER);
    assert.deepEqual(row.octets, octets);
  });

  test('migrate applies each step once, also when several processes start at once', async () => {
    await using kept = await openTestStorage(engine);
    const storages =
      engine === 'postgres' ? [kept.storage, kept.beside(), kept.beside()] : [kept.storage];
    await Promise.all(storages.map((storage) => storage.migrate(migrations)));
    await kept.storage.migrate(migrations);
    await kept.storage.transact((tx) => add(tx, 'one'));
    assert.deepEqual(await words(kept.storage.read), ['one']);
  });
});

test('a PostgreSQL writer whose connection breaks fails its batch and works again after', async () => {
  await using kept = await openTestStorage('postgres');
  const storage = await opened(kept.storage);
  await storage.transact((tx) => add(tx, 'before'));
  const breaking = storage.transact(async (tx) => {
    await add(tx, 'lost');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'stoa writer' and datname = current_database()`.execute(
      storage.read,
    );
    await add(tx, 'lost too');
  });
  await assert.rejects(breaking);
  await storage.transact((tx) => add(tx, 'after'));
  assert.deepEqual(await words(storage.read), ['after', 'before']);
});

test('a PostgreSQL reader that breaks in the middle of a query fails that query and nothing else', async () => {
  await using kept = await openTestStorage('postgres');
  const storage = await opened(kept.storage);
  const reading = sql`select pg_sleep(30)`.execute(storage.read);
  const failing = assert.rejects(reading);
  const other = kept.beside();
  let terminated = 0;
  while (terminated === 0) {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'stoa reader' and datname = current_database()
        and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`.execute(
      other.read,
    );
    terminated = rows.length;
  }
  await failing;
  assert.deepEqual(await words(storage.read), []);
});
