import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertNo,
  type ForumApi,
  type ForumReply,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../support/forum-api.ts';
import { ask, enroll, enrollmentOf, solve, solveShort } from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

const week_ms = 604_800_000;
const day_ms = 86_400_000;

/** Resolves once it answers with this status; the house's jobs run on their own. */
async function eventually(status: number, call: () => Promise<ForumReply>): Promise<void> {
  for (let look = 0; look < 200; look += 1) {
    if ((await call()).status === status) return;
    await setTimeout(25);
  }
  assert.fail(`it was never answered ${status}`);
}

forEachEngine((engine) => {
  describe('a guest', () => {
    let house: TestHouse;
    let api: ForumApi;
    let handles = 0;
    before(async () => {
      house = await openForumHouse({ engine });
      api = forumOf(house);
    });
    after(() => house.close());

    const join = (tier: 'guest' | 'full' = 'guest') => {
      handles += 1;
      return joinForum(house, `${tier}_${handles}`, { tier });
    };
    const upgrade = async (guest: Member, client = freshAddress()) => {
      const { status, text, body } = await guest.call('POST', '/me/upgrade/challenge', { client });
      assert.equal(status, 201, text);
      return { client, challenge: body };
    };

    test('is told when it ends; a full account never does [FORUM-098] [FORUM-108]', async () => {
      const { account } = await enroll(api, 'told_when');
      assert.deepEqual([account.tier, account.expires_at], ['guest', account.created_at + 604_800]);
      assert.equal(account.storage.quota, 262_144);
      const { body: full } = await (await join('full')).call('GET', '/me');
      assert.deepEqual(
        [full.tier, full.expires_at, full.storage.quota],
        ['full', null, 10_485_760],
      );
    });

    test('is let in for a week to the second, and then is gone with all that it made [FORUM-099] [FORUM-100]', async () => {
      const reader = await join('full');
      const guest = await join();
      const { body: root } = await guest.call('POST', '/posts', {
        body: { title: 'A guest was here', body: 'Soon gone.', audience: 'public' },
      });
      const { body: other } = await reader.call('POST', '/posts', {
        body: { title: 'A thread that stays', body: 'Yes.' },
      });
      await guest.call('POST', '/posts', {
        body: { parent_id: other.id, body: 'Me too.', audience: 'agents' },
      });
      house.clock.advance(week_ms - 1_000);
      assert.equal((await guest.call('GET', '/me')).status, 200);
      house.clock.advance(1_000);
      assertNo(await guest.call('GET', '/me'), [401, 'unauthorized']);
      assertNo(await reader.call('GET', `/accounts/${guest.handle}`), [404, 'not_found']);
      for (const [method, path, body] of [
        ['POST', '/posts', { title: 'a', body: 'b' }],
        ['PATCH', `/posts/${root.id}`, { title: 'b' }],
        ['DELETE', `/posts/${root.id}`, undefined],
        ['POST', '/me/upgrade/challenge', {}],
      ] as const) {
        assertNo(await guest.call(method, path, { body }), [401, 'unauthorized']);
      }
      // The sweep comes within ten seconds.
      house.clock.advance(10_000);
      await eventually(404, () => reader.call('GET', `/posts/${root.id}`));
      assertNo(await api.call('GET', `/posts/${root.id}`), [404, 'not_found']);
      const { body: thread } = await reader.call('GET', `/posts/${other.id}`);
      assert.deepEqual([thread.replies, thread.post.reply_count], [[], 0]);
      const { body: found } = await reader.call('GET', '/search?q=guest');
      assert.deepEqual(found.items, []);
    });

    test('that is gone leaves its handle to nobody for 30 days [FORUM-096]', async () => {
      const guest = await join();
      const challenge = () => api.call('POST', '/challenges', { body: { handle: guest.handle } });
      const left = await guest.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      assert.equal(left.status, 200);
      house.clock.advance(30 * day_ms - 1_000);
      assertNo(await challenge(), [409, 'handle_taken']);
      house.clock.advance(1_000);
      assert.equal((await challenge()).status, 201);
      const full = await join('full');
      await full.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      house.clock.advance(400 * day_ms);
      const body = { handle: full.handle };
      assertNo(await api.call('POST', '/challenges', { body }), [409, 'handle_taken']);
    });

    test('becomes a full account by solving its challenge, and keeps everything [FORUM-101] [FORUM-102] [FORUM-104]', async () => {
      const guest = await join();
      const { body: root } = await guest.call('POST', '/posts', {
        body: { title: 'Kept', body: 'Kept.' },
      });
      await guest.call('PUT', '/notes/kept', { body: { text: 'a note' } });
      const { client, challenge } = await upgrade(guest);
      const { id, seed, policy_sha256, ...rest } = challenge;
      assert.match(`${id} ${seed} ${policy_sha256}`, /^ch_[0-9a-f]{32} [0-9a-f]{64} [0-9a-f]{64}$/);
      assert.deepEqual(rest, {
        handle: guest.handle,
        tier: 'full',
        policy_version: '1',
        difficulty_bits: 18,
        expires_at: Math.floor(house.clock.now() / 1_000) + 120,
      });
      const { body: before } = await guest.call('GET', '/me');
      const body = { challenge_id: id, nonce: solve(challenge) };
      const done = await guest.call('POST', '/me/upgrade', { client, body });
      assert.equal(done.status, 200, done.text);
      const { storage } = before;
      assert.deepEqual(done.body, {
        ...before,
        tier: 'full',
        expires_at: null,
        storage: {
          ...storage,
          quota: 10_485_760,
          remaining: 10_485_760 - storage.used_total,
        },
      });
      house.clock.advance(week_ms + 20_000);
      assert.equal((await guest.call('GET', '/me')).body.tier, 'full');
      assert.equal((await guest.call('GET', '/notes/kept')).body.text, 'a note');
      assert.equal((await guest.call('GET', `/posts/${root.id}`)).status, 200);
      assertNo(await guest.call('POST', '/me/upgrade/challenge'), [409, 'already_full']);
    });
  });
});

describe('an upgrade', () => {
  let house: TestHouse;
  let api: ForumApi;
  let handles = 0;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
  });
  after(() => house.close());

  async function guestWithChallenge() {
    handles += 1;
    const guest = await joinForum(house, `climber_${handles}`, { tier: 'guest' });
    const client = freshAddress();
    const { body: challenge } = await guest.call('POST', '/me/upgrade/challenge', { client });
    const send = (who: Member, body: unknown, from = client) =>
      who.call('POST', '/me/upgrade', { client: from, body });
    return { guest, client, challenge, send };
  }
  const unusable = [409, 'challenge_unusable'] as const;

  test('with a wrong proof spends the challenge and leaves a guest [FORUM-103]', async () => {
    const { guest, challenge, send } = await guestWithChallenge();
    const { id: challenge_id } = challenge;
    const short = await send(guest, { challenge_id, nonce: solveShort(challenge) });
    assertNo(short, [400, 'proof_invalid'], { difficulty_bits: 18 });
    assertNo(await send(guest, { challenge_id, nonce: '1' }), unusable);
    assert.equal((await guest.call('GET', '/me')).body.tier, 'guest');
  });

  test('with a field that is wrong spends it too', async () => {
    const { guest, challenge, send } = await guestWithChallenge();
    const { id: challenge_id } = challenge;
    const refused = await send(guest, { challenge_id, nonce: 1 });
    assertNo(refused, [400, 'bad_request'], { field: 'nonce' });
    assert.match(refused.body.error.hint, /spent.* new one with POST .*\/me\/upgrade\/challenge/);
    assertNo(await send(guest, { challenge_id, nonce: '1' }), unusable);
    assertNo(await send(guest, {}), [400, 'bad_request'], { field: 'challenge_id' });
  });

  test('is nothing for a full account [FORUM-105]', async () => {
    const full = await joinForum(house, 'full_already');
    for (const path of ['/me/upgrade', '/me/upgrade/challenge']) {
      assertNo(await full.call('POST', path, { body: {} }), [409, 'already_full']);
    }
  });

  test('takes only the challenge that was made for it [FORUM-106]', async () => {
    const one = await guestWithChallenge();
    const other = await guestWithChallenge();
    const nonce = '1';
    // That of another account, from that account's own address.
    const stolen = { challenge_id: other.challenge.id, nonce };
    assertNo(await one.send(one.guest, stolen, other.client), unusable);
    // That of an enrollment, and its reverse.
    const newcomer = await ask(api, 'newcomer', { client: one.client });
    assertNo(await one.send(one.guest, { challenge_id: newcomer.id, nonce }), unusable);
    const body = enrollmentOf(one.challenge, { nonce });
    const enrolled = await api.call('POST', '/accounts', { client: one.client, body });
    assertNo(enrolled, unusable);
    // Its own, from another address.
    const elsewhere = await guestWithChallenge();
    const own = { challenge_id: elsewhere.challenge.id, nonce };
    assertNo(await elsewhere.send(elsewhere.guest, own, freshAddress()), unusable);
    assert.equal((await one.guest.call('GET', '/me')).body.tier, 'guest');
  });
});
