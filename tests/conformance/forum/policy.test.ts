import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { canonicalJson } from '@stoa/proof';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  type ForumApi,
  forumOf,
  openForumHouse,
} from '../../support/forum-api.ts';
import { ask, publishPolicy } from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

describe('the policy', () => {
  let house: TestHouse;
  let api: ForumApi;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
  });
  after(() => house.close());

  const current = async () => (await api.call('GET', '/policy')).body;

  /** A member that accepted the policy before the one that is in force now. */
  async function outdated(handle: string): Promise<Member> {
    const member = await joinForum(house, handle);
    await publishPolicy(house);
    return member;
  }

  const accept = (member: Member, body: unknown) => member.call('POST', '/policy/accept', { body });

  test('is read without a token, with its digest and how that is made [FORUM-022] [FORUM-023]', async () => {
    const { status, body } = await api.call('GET', '/policy');
    assert.equal(status, 200);
    const { policy, sha256, canonicalization, policy_version } = body;
    assert.deepEqual(Object.keys(body).sort(), [
      'canonicalization',
      'policy',
      'policy_version',
      'sha256',
    ]);
    assert.equal(createHash('sha256').update(canonicalJson(policy)).digest('hex'), sha256);
    assert.match(canonicalization, /sorted by code point.*SHA-256, lowercase hex$/);
    assert.equal(typeof policy_version, 'string');
  });

  test('has one version and digest wherever it is named [FORUM-024]', async () => {
    const { policy, sha256, policy_version } = await current();
    const challenge = await ask(api, 'versions');
    assert.equal(policy.version, policy_version);
    assert.equal(challenge.policy_version, policy_version);
    assert.equal(challenge.policy_sha256, sha256);
  });

  test('says what really happens to what members write', async () => {
    const rules = (await current()).policy.rules.join(' ');
    for (const said of ['read every post', 'keeps a copy', 'alter', 'sandbox', 'suspension']) {
      assert.ok(rules.includes(said), said);
    }
  });

  test('is replaced by the next version for all, and members see that theirs is old [FORUM-026]', async () => {
    const member = await joinForum(house, 'earlier');
    assert.equal((await member.call('GET', '/me')).body.policy_current, true);
    const first = await current();
    await publishPolicy(house);
    const second = await current();
    assert.equal(Number(second.policy_version), Number(first.policy_version) + 1);
    assert.notEqual(second.sha256, first.sha256);
    const { body: me } = await member.call('GET', '/me');
    assert.equal(me.policy_current, false);
    assert.equal(me.accepted_policy_version, first.policy_version);
    assert.equal(me.accepted_policy_sha256, first.sha256);
  });

  test('that was replaced blocks each write and no read [FORUM-027] [FORUM-028]', async () => {
    const member = await joinForum(house, 'blocked');
    const { body: made } = await member.call('POST', '/posts', { body: { title: 'a', body: 'b' } });
    await publishPolicy(house);
    const { sha256, policy_version } = await current();
    const more = { policy_sha256: sha256, policy_version };
    const writes: [string, string, unknown][] = [
      ['POST', '/posts', { title: 'c', body: 'd' }],
      ['PATCH', `/posts/${made.id}`, { title: 'c' }],
      ['DELETE', `/posts/${made.id}`, undefined],
      ['PATCH', '/me', { bio: 'new' }],
      ['PUT', '/notes/a', { text: 'b' }],
      ['DELETE', '/notes/a', undefined],
      ['PUT', '/me/recovery', { passphrase: 'twelve or more' }],
      ['DELETE', '/me/recovery', undefined],
      ['POST', '/reports', { post_id: made.id, reason: 'ten characters' }],
      ['POST', '/me/digest/seen', { cursor: 0 }],
      ['POST', '/me/upgrade/challenge', {}],
      ['POST', '/me/upgrade', { challenge_id: 'a', nonce: '1' }],
      // What is wrong with its fields is not said before (D-FORUM-02).
      ['POST', '/posts', { title: 7 }],
    ];
    for (const [method, path, body] of writes) {
      assertNo(await member.call(method, path, { body }), [409, 'policy_outdated'], more);
    }
    for (const path of [
      '/me',
      '/posts',
      `/posts/${made.id}`,
      '/notes',
      '/me/digest',
      '/me/export',
    ]) {
      assert.equal((await member.call('GET', path)).status, 200, path);
    }
    const { body: kept } = await member.call('GET', `/posts/${made.id}`);
    assert.equal(kept.post.title, 'a');
    assert.equal((await member.call('GET', '/me')).body.bio, '');
  });

  test('that was replaced keeps nobody from leaving or replacing a token [FORUM-029] [FORUM-030]', async () => {
    const member = await outdated('leaving');
    const { status, body } = await member.call('POST', '/me/token');
    assert.equal(status, 200);
    const { token } = body;
    const left = await api.call('DELETE', '/me', { token, body: { confirm: 'delete my account' } });
    assert.equal(left.status, 200);
    assertNo(await api.call('GET', '/me', { token }), [401, 'unauthorized']);
  });

  test('is accepted with its digest and version, and accepted again alike [FORUM-031] [FORUM-034]', async () => {
    const member = await outdated('accepting');
    const { sha256: policy_sha256, policy_version } = await current();
    const body = { accept_policy: true, policy_sha256, policy_version };
    const accepted = await accept(member, body);
    assert.equal(accepted.status, 200);
    const accepted_at = Math.floor(house.clock.now() / 1_000);
    assert.deepEqual(accepted.body, {
      policy_current: true,
      policy_sha256,
      policy_version,
      accepted_at,
    });
    house.clock.advance(10_000);
    const again = await accept(member, body);
    assert.deepEqual([again.status, again.body], [200, accepted.body]);
    assert.equal((await member.call('PATCH', '/me', { body: { bio: 'new' } })).status, 200);
    assert.equal((await member.call('GET', '/me')).body.policy_current, true);
  });

  test('is accepted by a literal true alone [FORUM-032]', async () => {
    const member = await outdated('hesitating');
    const { sha256: policy_sha256, policy_version } = await current();
    for (const accept_policy of [undefined, false, 1, 'true', null]) {
      const body = { accept_policy, policy_sha256, policy_version };
      assertBadField(await accept(member, body), 'accept_policy');
    }
    assert.equal((await member.call('GET', '/me')).body.policy_current, false);
  });

  test('is not accepted by the digest or version of another [FORUM-033]', async () => {
    const old = await current();
    const member = await outdated('late');
    const { sha256: policy_sha256, policy_version } = await current();
    const wrong = [
      { policy_sha256: old.sha256, policy_version: old.policy_version },
      { policy_sha256: old.sha256, policy_version },
      { policy_sha256, policy_version: old.policy_version },
      { policy_sha256: 'unknown', policy_version },
      { policy_sha256: policy_sha256.toUpperCase(), policy_version },
    ];
    for (const named of wrong) {
      const refused = await accept(member, { accept_policy: true, ...named });
      assertNo(refused, [409, 'policy_outdated'], { policy_sha256, policy_version });
    }
    assert.equal((await member.call('GET', '/me')).body.policy_current, false);
  });
});
