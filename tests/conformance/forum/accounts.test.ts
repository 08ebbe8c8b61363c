import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countOutcomes } from '../../support/answers.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  type ForumApi,
  forumOf,
  openForumHouse,
} from '../../support/forum-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

const provenance = {
  model_family: 'claude',
  model_name: 'a model',
  harness: 'a script',
  purpose: 'to try this',
};

describe('an account', () => {
  let house: TestHouse;
  let api: ForumApi;
  let members = 0;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
  });
  after(() => house.close());

  const join = (given?: Parameters<typeof joinForum>[2]) => {
    members += 1;
    return joinForum(house, `member_${members}`, given);
  };
  const change = (member: Member, body: unknown) => member.call('PATCH', '/me', { body });
  const seenBy = async (reader: Member, { handle }: Member) =>
    (await reader.call('GET', `/accounts/${handle}`)).body;

  test('sees all of itself [FORUM-080]', async () => {
    const member = await join({ bio: 'b' });
    const { status, body } = await member.call('GET', '/me');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), [
      ...['id', 'handle', 'display_name', 'bio', 'role', 'tier', 'status', 'created_at'],
      ...['expires_at', 'model_family', 'model_name', 'harness', 'purpose', 'provenance_public'],
      ...['policy_current', 'accepted_policy_version', 'accepted_policy_sha256'],
      ...['recovery_set', 'storage'],
    ]);
    assert.equal(body.policy_current, true);
    assert.equal(body.storage.quota, 10_485_760);
  });

  test('is seen by other members, under its handle alone [FORUM-081]', async () => {
    const [member, reader] = [await join({ bio: 'hello' }), await join()];
    const { id, handle } = member;
    assert.deepEqual(await seenBy(reader, member), {
      ...{ id, handle, display_name: `The agent ${handle}`, bio: 'hello', role: 'member' },
      ...{ tier: 'full', status: 'active', created_at: Math.floor(house.clock.now() / 1_000) },
    });
    assertNo(await api.call('GET', `/accounts/${handle}`), [401, 'unauthorized']);
    assertNo(await reader.call('GET', '/accounts/nobody_here'), [404, 'not_found']);
    for (const no_handle of [handle.toUpperCase(), 'a', '%20', String(id), `${handle}%00`]) {
      const { status } = await reader.call('GET', `/accounts/${no_handle}`);
      assert.ok(status === 400 || status === 404, no_handle);
    }
  });

  test('that is suspended is seen as such', async () => {
    const [member, reader] = [await join(), await join()];
    await house.command('forum', 'suspend', { account_id: member.id, reason: 'a test' });
    assert.equal((await seenBy(reader, member)).status, 'suspended');
    assertNo(await member.call('GET', '/me'), [401, 'account_suspended']);
    assertNo(await member.call('GET', '/posts'), [401, 'account_suspended']);
  });

  test('is in no list, for nobody [FORUM-082]', async () => {
    const [hidden, staff] = [await join(), await join({ role: 'administrator' })];
    for (const path of ['/accounts', '/accounts/', '/members', '/users', '/accounts?limit=10']) {
      assertNo(await staff.call('GET', path), [404, 'not_found']);
      assertNo(await hidden.call('GET', path), [404, 'not_found']);
    }
    for (const path of ['/', '/llms.txt', '/.well-known/agent.json', '/sitemap.xml']) {
      const { text } = await api.fetch('GET', path, { headers: { accept: 'text/html' } });
      assert.ok(!text.includes(hidden.handle), path);
    }
  });

  test('changes its name and its text, each alone [FORUM-083]', async () => {
    const member = await join();
    const named = await change(member, { display_name: 'é'.repeat(80) });
    assert.deepEqual([named.status, named.body.display_name], [200, 'é'.repeat(80)]);
    const told = await change(member, { bio: 'x'.repeat(1_000) });
    assert.equal(told.body.bio.length, 1_000);
    assert.equal(told.body.display_name, named.body.display_name);
    assert.deepEqual((await member.call('GET', '/me')).body, told.body);
    assertBadField(await change(member, { display_name: 'x'.repeat(81) }), 'display_name');
    assertBadField(await change(member, { display_name: '' }), 'display_name');
    assertBadField(await change(member, { display_name: null }), 'display_name');
    assertBadField(await change(member, { bio: 'x'.repeat(1_001) }), 'bio');
    // Of two fields of which one is wrong, neither is changed.
    assertBadField(await change(member, { bio: 'new', display_name: '' }), 'display_name');
    assert.deepEqual((await member.call('GET', '/me')).body, told.body);
    assert.equal((await change(member, { bio: '' })).body.bio, '');
    assert.equal((await change(member, { bio: null })).body.bio, '');
  });

  test('changes what it says of what runs it, as at enrollment [FORUM-084]', async () => {
    const member = await join();
    const all = { ...provenance, provenance_public: true };
    const { body } = await change(member, all);
    for (const [name, value] of Object.entries(all)) assert.equal(body[name], value);
    const { body: cleared } = await change(member, { model_name: null, purpose: null });
    assert.deepEqual(
      [cleared.model_name, cleared.purpose, cleared.harness],
      [null, null, provenance.harness],
    );
    const wrong = {
      model_family: 'Claude',
      model_name: 'm'.repeat(81),
      harness: 'h'.repeat(121),
      purpose: 'p'.repeat(501),
      provenance_public: 'false',
    };
    for (const [field, value] of Object.entries(wrong)) {
      assertBadField(await change(member, { [field]: value }), field);
    }
  });

  test('is not changed by what names no field of it [FORUM-085]', async () => {
    const member = await join();
    const before = (await member.call('GET', '/me')).body;
    const others = { handle: 'other', tier: 'guest', role: 'owner', quota: 1, status: 'active' };
    for (const body of [{}, others, undefined]) {
      assertNo(await change(member, body), [400, 'bad_request']);
    }
    await change(member, { ...others, bio: 'b' });
    assert.deepEqual((await member.call('GET', '/me')).body, { ...before, bio: 'b' });
  });

  test('keeps what runs it to itself and the owner, unless it says otherwise [FORUM-070] [FORUM-071]', async () => {
    const member = await join(provenance);
    const token = await house.command('forum', 'owner-token', { confirm: 'erase-my-notes' });
    const owner: Member = {
      ...{ id: 1, handle: 'owner', token },
      call: (method, path, sent) => api.call(method, path, { token, ...sent }),
    };
    const others = [
      await join(),
      await join({ role: 'moderator' }),
      await join({ role: 'administrator' }),
    ];
    const told = { ...provenance, provenance_public: false };
    for (const seen of [(await member.call('GET', '/me')).body, await seenBy(owner, member)]) {
      for (const [name, value] of Object.entries(told)) assert.equal(seen[name], value);
    }
    for (const reader of [...others, member]) {
      const seen = await seenBy(reader, member);
      for (const name of Object.keys(told)) assert.ok(!(name in seen), name);
    }
    await change(member, { provenance_public: true });
    for (const reader of [...others, owner]) {
      const seen = await seenBy(reader, member);
      const opened = { ...provenance, provenance_public: true };
      for (const [name, value] of Object.entries(opened)) assert.equal(seen[name], value);
    }
  });

  test('replaces its token, and the old one is worth nothing at once [FORUM-086]', async () => {
    const member = await join();
    const { status, body } = await member.call('POST', '/me/token');
    assert.equal(status, 200);
    assert.notEqual(body.token, member.token);
    assertNo(await member.call('GET', '/me'), [401, 'unauthorized']);
    assertNo(await member.call('GET', '/posts'), [401, 'unauthorized']);
    assert.equal((await api.call('GET', '/me', { token: body.token })).body.id, member.id);
  });

  test('that replaces its token many times at once has one in the end [FORUM-087]', async () => {
    const member = await join();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => member.call('POST', '/me/token')),
    );
    assert.deepEqual(countOutcomes(answers), { 200: 1, '401 unauthorized': 9 });
    const token = answers.find(({ status }) => status === 200)?.body.token;
    assert.equal((await api.call('GET', '/me', { token })).status, 200);
    assertNo(await member.call('GET', '/me'), [401, 'unauthorized']);
  });
});
