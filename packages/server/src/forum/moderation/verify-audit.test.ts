import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalJson, genesis_hash, sha256Hex } from '@stoa/proof';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { joinForum } from '../../../../../tests/support/forum-accounts.ts';
import { openForumHouse } from '../../../../../tests/support/forum-api.ts';
import type { TestHouse } from '../../../../../tests/support/open-house.ts';
import { tamper } from '../../../../../tests/support/tamper.ts';
import { auditView } from './audit-view.ts';
import { audit_stream, recordAudit } from './record-audit.ts';
import { verifyAudit } from './verify-audit.ts';

/** Writes so many entries, each with a reason of its own. */
async function act(house: TestHouse, count: number): Promise<void> {
  const { deps } = house.house;
  const { id } = await joinForum(house, `staff_of_${count}`);
  const actor = { audit_id: `au_${id}`, role: 'moderator' } as const;
  for (let number = 1; number <= count; number += 1) {
    await deps.transact((tx) =>
      // @NOTE It takes of the forum what every house has.
      recordAudit(deps as never, tx, {
        actor,
        action: 'post_hidden',
        target_kind: 'post',
        target_id: number,
        reason: `reason ${number} of ${count}: 🤖 "quoted"`,
      }),
    );
  }
}

const rows = ({ house }: TestHouse) =>
  house.deps.read
    .selectFrom('log_entry')
    .selectAll()
    .where('stream', '=', audit_stream)
    .orderBy('position')
    .execute();

forEachEngine((engine) => {
  describe('verifyAudit', () => {
    it('reproduces every hash from the stored rows, after a restart too [FORUM-177]', async () => {
      await using house = await openForumHouse({ engine });
      assert.deepEqual(await verifyAudit(house.house.deps), { count: 0, broken: undefined });
      await act(house, 7);
      await house.restart();
      assert.deepEqual(await verifyAudit(house.house.deps), { count: 7, broken: undefined });
      let before = genesis_hash;
      for (const entry of await house.house.deps.log.readAfter(audit_stream, 0, 100)) {
        const { hash, ...hashed } = auditView(entry);
        assert.equal(hashed.prev_hash, before);
        assert.equal(sha256Hex(canonicalJson(hashed)), hash);
        before = hash;
      }
    });

    it('names the entry of which a byte was changed, or that is gone [FORUM-177]', async () => {
      await using house = await openForumHouse({ engine });
      await act(house, 5);
      await tamper(house, 'reason 3 of 5', 'reason 3 of 6');
      assert.equal((await verifyAudit(house.house.deps)).broken, 3);
      await tamper(house, 'reason 3 of 6', 'reason 3 of 5');
      assert.equal((await verifyAudit(house.house.deps)).broken, undefined);
      const { transact } = house.house.deps;
      const entries = await rows(house);
      const at = (position: number) => entries[position - 1] ?? assert.fail();
      const changes: readonly [Record<string, unknown>, number][] = [
        [{ hash: at(1).hash }, 2],
        [{ prev_hash: at(1).prev_hash }, 4],
        [{ body: at(1).body, hash: at(1).hash }, 3],
      ];
      for (const [change, position] of changes) {
        const place = (db: Parameters<Parameters<typeof transact>[0]>[0]['db']) =>
          db
            .updateTable('log_entry')
            .where('stream', '=', audit_stream)
            .where('position', '=', position);
        await transact(({ db }) => place(db).set(change).execute());
        assert.equal((await verifyAudit(house.house.deps)).broken, position);
        const { body, hash, prev_hash } = at(position);
        await transact(({ db }) => place(db).set({ body, hash, prev_hash }).execute());
      }
      const remove = (position: number) =>
        transact(({ db }) =>
          db
            .deleteFrom('log_entry')
            .where('stream', '=', audit_stream)
            .where('position', '=', position)
            .execute(),
        );
      await remove(5);
      assert.equal((await verifyAudit(house.house.deps)).broken, 5);
      await remove(2);
      assert.equal((await verifyAudit(house.house.deps)).broken, 2);
    });

    it('an entry goes with the work that it is about, or not at all [FORUM-176]', async () => {
      await using house = await openForumHouse({ engine });
      const { deps } = house.house;
      await assert.rejects(
        deps.transact(async (tx) => {
          await recordAudit(deps as never, tx, {
            actor: undefined,
            action: 'guest_expired',
            target_kind: 'account',
            target_id: 7,
          });
          throw new Error('the work failed');
        }),
        /the work failed/,
      );
      assert.deepEqual(await rows(house), []);
      assert.deepEqual(await verifyAudit(deps), { count: 0, broken: undefined });
    });
  });
});
