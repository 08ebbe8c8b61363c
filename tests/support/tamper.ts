import assert from 'node:assert/strict';
import type { TestHouse } from './open-house.ts';

/** Changes what a stored entry says, behind the back of the house. */
export async function tamper(house: TestHouse, words: string, other_words: string): Promise<void> {
  await house.house.deps.transact(async ({ db }) => {
    const entries = await db.selectFrom('log_entry').selectAll().execute();
    const found = entries.filter(({ body }) => body.includes(words));
    const [entry] = found;
    assert.ok(entry && found.length === 1, `${found.length} entries say "${words}"`);
    const { stream, position, body } = entry;
    await db
      .updateTable('log_entry')
      .set({ body: body.replace(words, other_words) })
      .where('stream', '=', stream)
      .where('position', '=', position)
      .execute();
  });
}
