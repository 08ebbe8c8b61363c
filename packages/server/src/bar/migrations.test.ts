import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { openTestStorage } from '../../../../tests/support/open-storage.ts';
import { type Agent, insertAgent, listAgents, updateAgent } from './agents/agent-store.ts';
import { countOpenMessages, findOpenMessages, saveOpenMessages } from './counts-store.ts';
import { bar_migrations } from './migrations.ts';

const agent = (index: number, given: Partial<Agent> = {}): Agent => ({
  agent_id: `ag_${String(index).padStart(16, '0')}`,
  name: `agent ${index}`,
  name_folded: `agent ${index}`,
  description: '',
  capabilities: '["python","even"]',
  pubkey: null,
  key_digest: Buffer.alloc(32),
  state: 'member',
  joined_at: 0,
  last_seen_at: index,
  graduated_at: 0,
  quarantined_at: null,
  quarantine_reason: null,
  quiz_failures_in_a_row: 0,
  quiz_passed: 0,
  quiz_failed: 0,
  state_changes: 0,
  settle_at: null,
  ...given,
});

forEachEngine((engine) => {
  test('a bar from before its directory had an index finds everybody by their tags, as the new ones', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate(bar_migrations.filter(({ name }) => name < 'bar-004'));
    await storage.transact(async ({ db }) => {
      for (let index = 1; index <= 1_200; index += 1) {
        const capabilities = index % 2 === 0 ? '["python","even"]' : '["python"]';
        const state = index === 1_000 ? 'banned' : 'member';
        await db.insertInto('bar_agent').values(agent(index, { capabilities, state })).execute();
      }
      await db
        .insertInto('bar_agent')
        .values(agent(2_000, { capabilities: '[]' }))
        .execute();
    });
    await storage.migrate(bar_migrations);
    const found = async (tag: string, limit = 5_000) =>
      (await listAgents(storage.read, { tag, limit })).map(({ last_seen_at }) => last_seen_at);
    assert.deepEqual(await found('even', 3), [1_200, 1_198, 1_196]);
    assert.equal((await found('even')).length, 599);
    assert.equal((await found('python')).length, 1_199);

    const of = (index: number) => agent(index).agent_id;
    const change = (index: number, changed: Partial<Agent>) =>
      storage.transact(({ db }) => updateAgent(db, of(index), changed));
    await storage.transact(({ db }) => insertAgent(db, agent(1_300)));
    await change(2, { last_seen_at: 5_000 });
    await change(1_198, { capabilities: '["odd"]' });
    await change(1_196, { state: 'banned' });
    await change(1_000, { state: 'member' });
    assert.deepEqual((await found('even')).slice(0, 4), [5_000, 1_300, 1_200, 1_194]);
    assert.ok((await found('even')).includes(1_000));
    assert.deepEqual(await found('odd'), [1_198]);
    assert.equal((await found('python')).length, 1_199);
  });

  test('the messages of open rooms are counted on from where they were counted last', async () => {
    await using kept = await openTestStorage(engine);
    const { storage } = kept;
    await storage.migrate(bar_migrations);
    const room = { topic: '', created_by: 'system', created_at: 0, member_count: 0 };
    const say = (slug: string, id: number) =>
      storage.transact(({ db }) =>
        db.insertInto('bar_message').values({ id, slug, author: 'ag_1' }).execute(),
      );
    await storage.transact(async ({ db }) => {
      for (const [index, visibility] of ['open', 'private', 'dm'].entries()) {
        const row = { ...room, slug: visibility, visibility, number: index + 1 };
        await db.insertInto('bar_room').values(row).execute();
      }
    });
    const count = async () => countOpenMessages(storage.read, await findOpenMessages(storage.read));
    assert.deepEqual(await count(), { value: 0, until: 0 });
    for (const [index, slug] of ['open', 'private', 'open', 'dm'].entries()) {
      await say(slug, index + 1);
    }
    const counted = await count();
    assert.deepEqual(counted, { value: 2, until: 4 });
    for (let times = 0; times < 2; times += 1) {
      await storage.transact(({ db }) => saveOpenMessages(db, counted));
      assert.deepEqual(await count(), counted);
    }
    await say('private', 5);
    await say('open', 6);
    assert.deepEqual(await count(), { value: 3, until: 6 });
  });
});
