import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../../tests/support/open-storage.ts';
import { insertMessages } from '../messages/message-store.ts';
import { network_migrations } from '../migrations.ts';
import { findQueueEnd, listLastSeqs, listQueued, putQueueEnds } from './queue-store.ts';

const accounts = ['agent:few', 'agent:many'] as const;
const few = 5;
const many = 50;

forEachEngine((engine) => {
  test('any part of a queue is read, whichever others grew beside it', async () => {
    await using kept = await openTestStorage(engine);
    await kept.storage.migrate(network_migrations);
    const ends = new Map<string, { account: string; seq: number; number: number }>();
    const rows = Array.from({ length: few + many }, (_, index) => {
      const number = index + 1;
      const account = index % 10 === 9 && index < few * 10 ? accounts[0] : accounts[1];
      const end = ends.get(account) ?? { account, seq: 0, number: 0 };
      const seq = end.seq + 1;
      ends.set(account, { account, seq, number });
      return {
        number,
        id: `msg_${number}`,
        kind: 'text' as const,
        thread: 'th',
        previous: number - 1,
        from_account: 'agent:sender',
        to_account: account,
        seq,
        previous_queued: end.number,
        said: '{"text":"x"}',
        via: null,
        sent_at: number,
        delivered_at: number,
        read_at: null,
        is_receipt_given: 0,
      };
    });
    await kept.storage.transact(async ({ db }) => {
      await insertMessages(db, rows);
      await putQueueEnds(db, [{ account: accounts[1], seq: 1, number: 1 }, ...ends.values()]);
    });
    const { read } = kept.storage;
    for (const account of accounts) {
      const all = rows.filter(({ to_account }) => to_account === account);
      assert.equal((await findQueueEnd(read, account)).seq, all.length);
      for (const after of [...all.keys(), all.length, all.length + 1, Number.MAX_SAFE_INTEGER]) {
        for (const limit of [1, 2, 15, 16, 17, 200]) {
          const found = await listQueued(read, { account, after, limit });
          const expected = all.slice(after, after + limit);
          assert.deepEqual(
            found.map(({ id, seq }) => [id, seq]),
            expected.map(({ id, seq }) => [id, seq]),
          );
        }
      }
    }
    assert.deepEqual(await listQueued(read, { account: 'agent:none', after: 0, limit: 9 }), []);
    assert.deepEqual(await findQueueEnd(read, 'agent:none'), { seq: 0, number: 0 });
    const seqs = await listLastSeqs(read, [...accounts, 'agent:none']);
    assert.deepEqual(Object.fromEntries(seqs), { 'agent:few': few, 'agent:many': many });
  });
});
