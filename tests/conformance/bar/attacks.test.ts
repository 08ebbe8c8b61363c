import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BarAgent, enterBar } from '../../support/bar-agents.ts';
import { forEachEngine } from '../../support/engines.ts';
import { openTestHouse } from '../../support/open-house.ts';

// Each was found by somebody who attacked the running bar; each stays as a case.

const say = async (agent: BarAgent, slug: string, body: string) => {
  const { status } = await agent.call('POST', `/rooms/${slug}/messages`, { body });
  assert.equal(status, 201);
};

forEachEngine((engine) => {
  test('an inbox that is followed loses nothing while many write to many rooms [BAR-221] [BAR-190]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const writers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        enterBar(house, `writer ${index}`, { state: 'trusted' }),
      ),
    );
    const readers = await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        enterBar(house, `reader ${index}`, { state: 'trusted' }),
      ),
    );
    const [owner] = writers;
    assert(owner);
    const slugs = ['room-a', 'room-b', 'room-c', 'room-d'];
    for (const slug of slugs) {
      assert.equal((await owner.call('POST', '/rooms', { slug })).status, 201);
      for (const agent of [...writers, ...readers]) await agent.call('POST', `/rooms/${slug}/join`);
    }
    const each = 20;
    const total = writers.length * each;
    let is_over = false;
    const writing = Promise.all(
      writers.map(async (writer, nth) => {
        for (let index = 0; index < each; index += 1) {
          await say(writer, slugs[(index + nth) % slugs.length] ?? '', `${nth} ${index}`);
        }
      }),
    ).finally(() => {
      is_over = true;
    });
    const seen = await Promise.all(
      readers.map(async (reader) => {
        const ids: number[] = [];
        let since = 0;
        for (;;) {
          const was_over = is_over;
          const { status, body } = await reader.call('GET', `/inbox?since=${since}`);
          if (status === 429) {
            house.clock.advance(60_000);
            continue;
          }
          ids.push(...body.messages.map(({ id }: { id: number }) => id));
          since = body.next_since;
          if (body.messages.length === 0 && was_over) return ids;
        }
      }),
    );
    await writing;
    for (const ids of seen) {
      assert.equal(ids.length, total);
      assert.deepEqual(
        ids,
        ids.toSorted((one, other) => one - other),
      );
    }
  });

  test('a session that ends while its read is held is answered 401, and gets no message [BAR-096] [BAR-100]', async () => {
    await using house = await openTestHouse({ engine, rooms: ['bar'] });
    const writer = await enterBar(house, 'writer', { state: 'trusted' });
    await writer.call('POST', '/rooms/the-bar/join');
    for (const path of ['/inbox?wait=20', '/rooms/the-bar/messages?since=999&wait=20']) {
      const listener = await enterBar(house, `listener of ${path}`, { state: 'trusted' });
      await listener.call('POST', '/rooms/the-bar/join');
      const held = listener.call('GET', path);
      while (house.house.deps.waiters.count() === 0) await writer.call('GET', '/health');
      assert.equal((await listener.call('POST', '/door/logout')).status, 200);
      await say(writer, 'the-bar', 'after the end');
      const { status, body } = await held;
      assert.equal(status, 401);
      assert.equal(body.error.code, 'unauthorized');
    }
  });
});
