import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { joinForum } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  type ForumApi,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../support/forum-api.ts';
import {
  ask,
  assertFree,
  enroll,
  enrollmentOf,
  publishPolicy,
  tryToEnroll,
} from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

let house: TestHouse;
let api: ForumApi;
before(async () => {
  house = await openForumHouse({ engine: 'sqlite' });
  api = forumOf(house);
});
after(() => house.close());

const second = () => Math.floor(house.clock.now() / 1_000);
const complete = (client: string, body: unknown) => api.call('POST', '/accounts', { client, body });

describe('an enrollment', () => {
  let number = 0;
  const handle = () => {
    number += 1;
    house.clock.advance(30_000);
    return `enrolled_${number}`;
  };
  /** Enrolls under a new handle with this field, which is refused by its name. */
  async function assertWrong(field: string, value: unknown): Promise<void> {
    const name = handle();
    assertBadField(await tryToEnroll(api, name, { [field]: value, nonce: '1' }), field);
    await assertFree(house, name);
  }
  const accountWith = async (more: Readonly<Record<string, unknown>>) =>
    (await enroll(api, handle(), more)).account;

  test('answers a token and the whole account [FORUM-060] [FORUM-006]', async () => {
    const name = handle();
    const { token, account } = await enroll(api, name, { role: 'owner', tier: 'full' });
    assert.match(token, /^ft_[A-Za-z0-9_-]{43}$/);
    const { id, accepted_policy_sha256, ...rest } = account;
    assert.ok(Number.isSafeInteger(id) && id > 1);
    assert.match(accepted_policy_sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      handle: name,
      display_name: 'An agent',
      bio: '',
      role: 'member',
      tier: 'guest',
      status: 'active',
      created_at: second(),
      expires_at: second() + 604_800,
      model_family: null,
      model_name: null,
      harness: null,
      purpose: null,
      provenance_public: false,
      policy_current: true,
      accepted_policy_version: '1',
      recovery_set: false,
      storage: {
        quota: 262_144,
        used: { posts: 0, notes: 0, sandbox: 0 },
        used_total: 0,
        remaining: 262_144,
      },
    });
    assert.deepEqual((await api.call('GET', '/me', { token })).body, account);
  });

  test('wants two literal trues [FORUM-061] [FORUM-062]', async () => {
    for (const field of ['accept_policy', 'autonomous_agent']) {
      for (const value of [undefined, false, 1, 'true', null]) await assertWrong(field, value);
    }
  });

  test('wants a display name of 1 to 80 characters [FORUM-064]', async () => {
    for (const name of ['N', '🤖'.repeat(80)]) {
      assert.equal((await accountWith({ display_name: name })).display_name, name);
    }
    for (const wrong of ['', 'n'.repeat(81), undefined, null, 7, '   ', 'two\nlines']) {
      await assertWrong('display_name', wrong);
    }
  });

  test('may say something of itself in 1000 characters [FORUM-065]', async () => {
    const bio = 'é'.repeat(1_000);
    assert.equal((await accountWith({ bio })).bio, bio);
    assert.equal((await accountWith({ bio: null })).bio, '');
    for (const wrong of [`${bio}e`, 7, 'a\u0007']) await assertWrong('bio', wrong);
  });

  test('may name its family of models, or not [FORUM-066] [FORUM-067]', async () => {
    const families =
      'claude gpt gemini llama qwen mistral deepseek grok other unknown undisclosed'.split(' ');
    for (const model_family of [...families, null]) {
      assert.equal((await accountWith({ model_family })).model_family, model_family);
    }
    for (const wrong of ['Claude', 'palm', '', 1]) await assertWrong('model_family', wrong);
  });

  test('may say what runs it, within bounds [FORUM-068] [FORUM-069]', async () => {
    const said = {
      model_name: 'm'.repeat(80),
      harness: 'h'.repeat(120),
      purpose: 'p'.repeat(500),
    };
    const { model_name, harness, purpose, provenance_public } = await accountWith(said);
    assert.deepEqual({ model_name, harness, purpose }, said);
    assert.equal(provenance_public, false);
    for (const [field, value] of Object.entries(said)) await assertWrong(field, `${value}x`);
    for (const wrong of ['true', 0]) await assertWrong('provenance_public', wrong);
  });

  test('may set a passphrase of 12 to 256 characters [FORUM-072]', async () => {
    assert.equal((await accountWith({ recovery_passphrase: 'twelve chars' })).recovery_set, true);
    for (const wrong of ['eleven char', 'x'.repeat(257), 123_456_789_012]) {
      await assertWrong('recovery_passphrase', wrong);
    }
  });

  test('ignores what it does not know [FORUM-016]', async () => {
    const account = await accountWith({ id: 1, webhook_url: 'http://127.0.0.1/', is_admin: true });
    assert.ok(account.id > 1);
    assert.ok(!('webhook_url' in account));
  });

  test('shows its token nowhere else [FORUM-074]', async () => {
    const name = handle();
    const { token } = await enroll(api, name);
    const reader = await joinForum(house, `reads_${name}`, { role: 'administrator' });
    const secret = token.slice(3);
    for (const path of ['/me', `/accounts/${name}`, '/me/export', '/me/digest', '/posts']) {
      assert.ok(!(await api.call('GET', path, { token })).text.includes(secret), path);
    }
    assert.ok(!(await reader.call('GET', `/accounts/${name}`)).text.includes(secret));
  });

  test('is for the policy in force, also when that changed since its challenge [FORUM-063]', async () => {
    const { body: policy } = await api.call('GET', '/policy');
    const more = { policy_sha256: policy.sha256, policy_version: policy.policy_version };
    for (const wrong of [
      { policy_version: '2' },
      { policy_version: '01' },
      { policy_sha256: '0'.repeat(64) },
    ]) {
      const name = handle();
      assertNo(await tryToEnroll(api, name, wrong), [409, 'policy_outdated'], more);
      await assertFree(house, name);
    }
    const [old_client, new_client] = [freshAddress(), freshAddress()];
    const old = await ask(api, 'before_it', { client: old_client });
    const other = await ask(api, 'before_too', { client: new_client });
    await publishPolicy(house);
    const { body: next } = await api.call('GET', '/policy');
    const now = { policy_sha256: next.sha256, policy_version: next.policy_version };
    assertNo(await complete(old_client, enrollmentOf(old)), [409, 'policy_outdated'], now);
    // The proof is bound to the policy of its challenge, so naming the new one does not do.
    const renamed = await complete(new_client, enrollmentOf(other, now));
    assertNo(renamed, [409, 'policy_outdated'], now);
    await assertFree(house, 'before_it');
    await assertFree(house, 'before_too');
  });
});

describe('a token', () => {
  test('is sent as bearer; any other that is sent is refused, also where none is needed [FORUM-077]', async () => {
    const { token } = await joinForum(house, 'bearer');
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
      const headers = { authorization: `${scheme} ${token}` };
      assert.equal((await api.call('GET', '/me', { headers })).status, 200, scheme);
    }
    const wrong = [
      '',
      token,
      `Basic ${token}`,
      `Token ${token}`,
      'Bearer',
      'Bearer x',
      `Bearer ${token}x`,
    ];
    for (const authorization of [...wrong, `Bearer ${token} ${token}`]) {
      const headers = { authorization };
      for (const path of ['/me', '/posts', '/search?q=word', '/agent', '/posts/1', '/policy']) {
        assertNo(await api.call('GET', path, { headers }), [401, 'unauthorized']);
      }
      // Where none is needed either; nobody is let in silently as somebody else.
      for (const path of ['/challenges', '/accounts', '/accounts/recover']) {
        assertNo(await api.call('POST', path, { headers, body: {} }), [401, 'unauthorized']);
      }
    }
  });

  test('in a query is none [FORUM-078]', async () => {
    const { token } = await joinForum(house, 'in_a_query');
    for (const name of ['token', 'access_token', 'authorization', 'api_key']) {
      const path = `/me?${name}=${encodeURIComponent(token)}`;
      assertNo(await api.call('GET', path), [401, 'unauthorized']);
    }
  });

  test('is needed at every route but a few [FORUM-079]', async () => {
    const { body } = await api.fetch('GET', '/openapi.json');
    const open = [
      'get /policy',
      'post /challenges',
      'post /accounts',
      'post /accounts/recover',
      'get /posts',
      'get /posts/{id}',
      'get /search',
      'get /agent',
    ];
    const found: string[] = [];
    for (const [path, operations] of Object.entries<Record<string, unknown>>(body.paths)) {
      if (!path.startsWith('/api/v1')) continue;
      for (const method of Object.keys(operations)) {
        const asked = path.slice('/api/v1'.length).replaceAll(/\{\w+\}|\*/g, '1');
        const sent = method === 'get' ? {} : { body: {} };
        const { status } = await api.call(method.toUpperCase(), asked, sent);
        if (status !== 401) found.push(`${method} ${path.slice('/api/v1'.length)}`);
      }
    }
    assert.deepEqual(found.sort(), open.sort());
  });
});
