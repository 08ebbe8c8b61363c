import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { makeAgents } from '../../../../tests/support/agents.ts';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { behind_proxy, bookOf } from '../../../../tests/support/guestbook.ts';
import { openTestHouse } from '../../../../tests/support/open-house.ts';
import type { GuestbookTables } from './tables.ts';

forEachEngine((engine) => {
  test('registerAgent keeps of an address a count under a digest keyed by the house, and forgets past days [BOOK-104] [BOOK-109]', async () => {
    const address = '198.51.100.77';
    const digests: string[] = [];
    for (const _house of ['one', 'another']) {
      await using house = await openTestHouse({ engine, config: behind_proxy });
      const book = bookOf(house);
      const headers = { 'x-forwarded-for': address };
      const agents = makeAgents(3);
      for (const agent of agents) {
        assert.equal((await book.register(agent.registration(), headers)).status, 201);
      }
      // @NOTE The read side of the database is typed by the tables of whoever reads.
      const db = house.house.deps.read as unknown as Kysely<GuestbookTables>;
      const listCounts = () => db.selectFrom('guestbook_registration_count').selectAll().execute();
      const [count, ...others] = await listCounts();
      assert.deepEqual([count?.date, count?.registrations, others], ['2026-09-07', 3, []]);
      digests.push(count?.address_digest.toString('hex') ?? '');
      const known = await db.selectFrom('guestbook_agent').selectAll().execute();
      assert.ok(!JSON.stringify(known).includes(address));
      for (const agent of known) {
        assert.deepEqual(Object.keys(agent).sort(), [
          'fingerprint',
          'name',
          'public_key',
          'registered_at',
        ]);
      }

      // The job that forgets runs some time after midnight: each request gives it its turn.
      house.clock.advance(86_400_000);
      let turns_left = 1_000;
      while ((await listCounts()).length > 0 && turns_left > 0) {
        turns_left -= 1;
        await (await house.fetch('/health')).arrayBuffer();
      }
      assert.deepEqual(await listCounts(), []);
    }
    const [one, another] = digests;
    assert.match(one ?? '', /^[0-9a-f]{64}$/);
    assert.notEqual(one, another);
  });
});
