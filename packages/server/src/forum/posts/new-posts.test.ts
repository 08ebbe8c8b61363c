import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import { openTestHouse, type TestHouse } from '../../../../../tests/support/open-house.ts';
import { RefusalError } from '../../refusal.ts';
import type { Engine } from '../../storage/storage.ts';
import { findAccount, insertAccount } from '../accounts/account-store.ts';
import { identifyMember } from '../accounts/identify.ts';
import { forgetMember, memberKey } from '../accounts/members.ts';
import { newAccount } from '../accounts/new-account.ts';
import { mintToken } from '../accounts/token.ts';
import { type Forum, openForum } from '../forum.ts';
import { setAccountStatus } from '../moderation/moderation-store.ts';
import { newDataKey, wrapUnderToken } from '../notes/data-key.ts';
import { findNumber } from '../number-store.ts';
import { listCandidates } from '../search/search-store.ts';
import { activityHead } from './activity.ts';
import { erasePostsOf } from './erase-posts.ts';
import { findPost } from './post-store.ts';
import { setPostStatus } from './set-post-status.ts';
import { storePost } from './store-post.ts';

/** A house whose forum the test opens itself, to run units of work of which it knows that they share a batch. */
const openHouse = (engine: Engine, beside?: TestHouse) =>
  openTestHouse({ engine, config: { rooms: {} }, ...(beside ? { beside } : {}) });

const forumIn = (house: TestHouse) => openForum(house.house.deps, '/forum');

async function addMember(forum: Forum, id: number, quota_bytes = 10_000): Promise<string> {
  const { random } = forum;
  const token = mintToken(random);
  await forum.transact(({ db }) =>
    insertAccount(db, {
      ...newAccount(forum, { version: 1, sha256: '' }),
      ...wrapUnderToken(random, id, token, newDataKey(random)),
      ...{ id, handle: `member_${id}`, handle_digest: Buffer.from(String(id)) },
      ...{ display_name: '', role: 'member', tier: 'full', quota_bytes },
    }),
  );
  return token;
}

type Draft = { root?: number; body?: string; is_undone?: boolean };

const write = (forum: Forum, id: number, { root, body = 'word', is_undone }: Draft = {}) =>
  forum.transactPost(async (tx) => {
    const row = await storePost(forum, tx, {
      author: { id },
      origin: 'author',
      root: root === undefined ? undefined : { id: root, audience: 'agents' },
      kind: root === undefined ? 'post' : null,
      title: root === undefined ? 'title' : null,
      body,
      audience: 'agents',
      mentions: [],
    });
    if (is_undone) throw new Error('undone');
    return row.id;
  });

const hide = (forum: Forum, id: number, is_undone = false) =>
  forum.transact(async (tx) => {
    await setPostStatus(forum, tx, id, 'hidden', 'for the test');
    if (is_undone) throw new Error('undone');
  });

async function found(forum: Forum): Promise<number[]> {
  const candidates = await listCandidates(forum.read, 'agents', [['word']], 50);
  return candidates.map(({ id }) => id);
}

const usedBy = async ({ read }: Forum, id: number) =>
  (await findAccount(read, id))?.used_posts_bytes;

/** Of what was refused, the code; of what failed otherwise, what it said. */
const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    return one.reason instanceof RefusalError ? one.reason.code : one.reason.message;
  });

forEachEngine((engine) => {
  test('what becomes of a post in its own batch is right: hidden, replied to, beside others that are undone [FORUM-109] [FORUM-134]', async () => {
    await using house = await openHouse(engine);
    const forum = forumIn(house);
    for (const id of [1, 2, 3]) await addMember(forum, id);
    const seen: unknown[] = [];
    const lookAtRoot = (id: number) =>
      forum.transactPost(async (tx) => {
        seen.push((await forum.roots.within(tx, String(id)))?.status);
      });
    const settled = await Promise.allSettled([
      write(forum, 1),
      write(forum, 1, { is_undone: true }),
      write(forum, 2),
      hide(forum, 2),
      lookAtRoot(2),
      write(forum, 3, { root: 1 }),
      hide(forum, 1, true),
      lookAtRoot(1),
      hide(forum, 3),
      write(forum, 2, { root: 1 }),
    ]);
    assert.deepEqual(outcomes(settled), [
      ...[1, 'undone', 2, undefined, undefined, 3, 'undone', undefined, undefined, 4],
    ]);
    assert.deepEqual(seen, ['hidden', 'active']);
    const posts = await Promise.all([1, 2, 3, 4, 5].map((id) => findPost(forum.read, id)));
    assert.deepEqual(
      posts.map((post) => post?.status),
      ['active', 'hidden', 'hidden', 'active', undefined],
    );
    assert.equal(posts[0]?.reply_count, 1);
    assert.equal(posts[0]?.last_reply_at, posts[3]?.created_at);
    assert.deepEqual(await found(forum), [4, 1]);
    assert.deepEqual(await Promise.all([1, 2, 3].map((id) => usedBy(forum, id))), [9, 13, 4]);
    assert.equal(await findNumber(forum.read, 'post'), 4);
    assert.equal(await activityHead(forum), 4);
    // In the next batch everything goes on from there.
    assert.equal(await write(forum, 1, { root: 1 }), 5);
    assert.equal((await findPost(forum.read, 1))?.reply_count, 2);
    assert.equal(await usedBy(forum, 1), 13);
  });

  test('an account that is erased in the batch of its posts leaves none of their words [FORUM-093]', async () => {
    await using house = await openHouse(engine);
    const forum = forumIn(house);
    for (const id of [1, 2]) await addMember(forum, id);
    await write(forum, 2);
    const settled = await Promise.allSettled([
      write(forum, 1),
      write(forum, 1, { root: 1 }),
      forum.transact((tx) => erasePostsOf(forum, tx, 1, 'account_deleted')),
      forum.transactPost(async (tx) => (await forum.roots.within(tx, '2'))?.status),
    ]);
    assert.deepEqual(outcomes(settled), [2, 3, undefined, 'removed']);
    const posts = await Promise.all([1, 2, 3].map((id) => findPost(forum.read, id)));
    assert.deepEqual(
      posts.map((post) => post?.body),
      ['word', '', ''],
    );
    assert.equal(posts[0]?.reply_count, 0);
    assert.deepEqual(await found(forum), [1]);
  });

  test('limits count what others of the batch have stored, and nothing that was undone; so they do after a restart [FORUM-113]', async () => {
    await using house = await openHouse(engine);
    let forum = forumIn(house);
    await addMember(forum, 1);
    await addMember(forum, 2, 30);
    const posting = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => write(forum, 1, { is_undone: true })),
      ...Array.from({ length: 11 }, () => write(forum, 1)),
    ]);
    assert.deepEqual(outcomes(posting), [
      ...Array.from({ length: 4 }, () => 'undone'),
      ...Array.from({ length: 10 }, (_, index) => index + 1),
      'rate_limited',
    ]);
    const of_ten = { body: 'x'.repeat(5) };
    const storing = await Promise.allSettled([
      write(forum, 2, of_ten),
      write(forum, 2, { ...of_ten, is_undone: true }),
      write(forum, 2, { body: 'x'.repeat(16) }),
      write(forum, 2, of_ten),
      write(forum, 2, of_ten),
      write(forum, 2, { body: '', root: 1 }),
      write(forum, 2, { body: 'x', root: 1 }),
    ]);
    assert.deepEqual(outcomes(storing), [
      ...[11, 'undone', 'storage_full', 12, 13, 14, 'storage_full'],
    ]);
    await assert.rejects(write(forum, 2), { code: 'storage_full' });
    await house.restart();
    forum = forumIn(house);
    await assert.rejects(write(forum, 1), { code: 'rate_limited' });
    await assert.rejects(write(forum, 2), { code: 'storage_full' });
    house.clock.advance(600_000);
    assert.equal(await write(forum, 1), 15);
  });

  test('a token is refused from the unit of work on that suspends its account, and not for one that is undone [FORUM-166]', async () => {
    await using house = await openHouse(engine);
    const forum = forumIn(house);
    const key = memberKey(await addMember(forum, 1));
    const suspend = (is_undone: boolean) =>
      forum.transact(async (tx) => {
        const account = await findAccount(tx.db, 1);
        assert.ok(account);
        await setAccountStatus(tx.db, 1, 'suspended');
        forgetMember(forum, tx, account);
        if (is_undone) throw new Error('undone');
      });
    const look = () => forum.transactPost(async (tx) => (await identifyMember(forum, key, tx)).id);
    assert.equal((await identifyMember(forum, key)).id, 1);
    const settled = await Promise.allSettled([
      ...[look(), suspend(true), look(), suspend(false), look()],
    ]);
    assert.deepEqual(outcomes(settled), [1, 'undone', 1, undefined, 'account_suspended']);
    await assert.rejects(identifyMember(forum, key), { code: 'account_suspended' });
    await assert.rejects(look(), { code: 'account_suspended' });
  });

  if (engine === 'postgres') {
    test('what another process has posted, hidden or suspended counts at once [FORUM-281]', async () => {
      await using house = await openHouse(engine);
      await using other_house = await openHouse(engine, house);
      const [forum, other] = [forumIn(house), forumIn(other_house)];
      const key = memberKey(await addMember(forum, 1));
      const look = (id: number) =>
        forum.transactPost(async (tx) => (await forum.roots.within(tx, String(id)))?.status);
      await identifyMember(forum, key);
      for (let turn = 0; turn < 5; turn += 1) {
        assert.equal(await write(forum, 1), 2 * turn + 1);
        assert.equal(await write(other, 1), 2 * turn + 2);
      }
      await assert.rejects(write(forum, 1), { code: 'rate_limited' });
      await assert.rejects(write(other, 1), { code: 'rate_limited' });
      assert.equal(await look(1), 'active');
      await hide(other, 1);
      assert.equal(await look(1), 'hidden');
      await other.transact(async (tx) => {
        const account = await findAccount(tx.db, 1);
        assert.ok(account);
        await setAccountStatus(tx.db, 1, 'suspended');
        forgetMember(other, tx, account);
      });
      await assert.rejects(
        forum.transactPost((tx) => identifyMember(forum, key, tx)),
        { code: 'account_suspended' },
      );
      assert.equal(await usedBy(forum, 1), 90);
    });
  }
});
