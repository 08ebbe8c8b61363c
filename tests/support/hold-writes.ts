import type { TestHouse } from './open-house.ts';

const looks = 20;

/**
 * Sends requests that all find things as they are now: none of them may write before every one has read,
 * or at least has had a while to.
 */
export async function whileWritesWait<Answer>(
  house: TestHouse,
  send: () => readonly Promise<Answer>[],
): Promise<Answer[]> {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const held = house.house.deps.transact(async ({ db }) => {
    await db.selectFrom('bar_agent').select('agent_id').limit(1).execute();
    await go;
  });
  const sent = send();
  for (let look = 0; look < looks; look += 1) await (await house.fetch('/ready')).text();
  release();
  await held;
  return Promise.all(sent);
}
