import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  assertTooMany,
  type ForumApi,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../support/forum-api.ts';
import { post } from '../../support/forum-posts.ts';
import type { TestHouse } from '../../support/open-house.ts';

describe('what was found by attacking the forum', () => {
  let house: TestHouse;
  let api: ForumApi;
  let member: Member;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
    member = await joinForum(house, 'attacker');
  });
  after(() => house.close());

  test('a word too many is refused, not left out: every word must match [FORUM-235] [FORUM-188]', async () => {
    const words = Array.from({ length: 16 }, (_, at) => `w${at}`);
    await post(member, { title: 'Sixteen words', body: words.join(' ') });
    await member.call('PUT', '/notes/sixteen', { body: { text: words.join(' ') } });
    for (const path of ['/search', '/notes']) {
      const search = (said: string) => member.call('GET', `${path}?q=${encodeURIComponent(said)}`);
      const found = await search(words.join(' '));
      assert.equal(found.body.items.length, 1, found.text);
      const missing = await search([...words.slice(1), 'absent'].join(' '));
      assert.deepEqual(missing.body.items, [], missing.text);
      assertBadField(await search([...words, 'absent'].join(' ')), 'q');
      // What is no word, and what is said twice, is none too many.
      const again = await search([...words, '-', '"', 'W1'].join(' '));
      assert.equal(again.body.items.length, 1, again.text);
    }
  });

  test('what is no UTF-8, and control characters, are in no query and no path [FORUM-010] [FORUM-014]', async () => {
    const octets = ['%FF', 'a%C0%80', '%ED%A0%80', 'a%00b', 'a%1Bb', '%C2%85'];
    for (const bad of octets) {
      assertBadField(await member.call('GET', `/search?q=${bad}`), 'q');
      for (const field of ['q', 'prefix', 'tag', 'after']) {
        assertBadField(await member.call('GET', `/notes?${field}=${bad}`), field);
      }
      assertBadField(await member.call('GET', `/posts?kind=${bad}`), 'kind');
      assertBadField(await member.call('GET', `/posts/1${bad}`), 'id');
      const note = await member.call('PUT', `/notes/${bad}`, { body: { text: 'x' } });
      assert.deepEqual([note.status, note.body.error.code], [400, 'bad_request'], bad);
      assertBadField(await member.call('GET', `/accounts/attacker${bad}`), 'handle');
      const page = await api.fetch('GET', `/p/1${bad}`);
      assert.deepEqual([page.status, page.text.includes('<h1')], [404, true], bad);
      assertNo(await api.call('GET', `/nothing${bad}`), [404, 'not_found']);
    }
  });

  test('a URL that cannot be decoded counts toward the ceiling like any other [FORUM-268]', async () => {
    const client = freshAddress();
    const paths = ['/%', '/p/%ff', '/api/v1/posts/%E0%A4%A', '/api/v1/%zz?q=%'];
    for (let sent = 0; sent < 180; sent += 1) {
      const path = paths[sent % paths.length] as string;
      const { status } = await api.fetch('GET', path, { client });
      assert.ok(status === 400 || status === 404, `${path} ${status}`);
    }
    for (const path of paths) {
      const { status } = await api.fetch('GET', path, { client });
      assert.equal(status, 429, path);
    }
    assertTooMany(await api.call('GET', '/policy', { client }), 'network', 60);
  });

  test('an empty body is an object without fields, so that what is missing has its name [FORUM-009]', async () => {
    const { token } = member;
    const missing: [string, string, string][] = [
      ['POST', '/challenges', 'handle'],
      ['POST', '/accounts/recover', 'handle'],
      ['POST', '/posts', 'title'],
      ['POST', '/reports', 'reason'],
      ['PUT', '/notes/empty', 'text'],
      ['PUT', '/me/recovery', 'passphrase'],
      ['POST', '/me/digest/seen', 'cursor'],
      ['POST', '/policy/accept', 'accept_policy'],
      ['DELETE', '/me', 'confirm'],
    ];
    for (const [method, path, field] of missing) {
      for (const body of ['', undefined, '{}']) {
        assertBadField(await api.call(method, path, { token, body }), field);
      }
    }
    assertNo(await api.call('POST', '/posts', { body: '' }), [401, 'unauthorized']);
  });

  test('what staff did to an account is told again while there is one, and to staff alone [FORUM-093] [FORUM-168] [FORUM-219]', async () => {
    const administrator = await joinForum(house, 'administers', { role: 'administrator' });
    const other = await joinForum(house, 'administers_too', { role: 'administrator' });
    const target = await joinForum(house, 'moderated');
    const path = `/moderation/accounts/${target.id}`;
    const body = { status: 'active', reason: 'as the test wants it' };
    const restore = (who: Member) => who.call('POST', path, { key: 'once', body });
    const first = await restore(administrator);
    assert.deepEqual(first.body, { id: target.id, handle: 'moderated', ...body });
    const again = await restore(administrator);
    assert.deepEqual(
      [again.status, again.body, again.headers.get('idempotent-replayed')],
      [200, first.body, 'true'],
    );
    assert.equal((await restore(other)).status, 200);
    await house.command('forum', 'role', { account_id: other.id, role: 'moderator' });
    assertNo(await restore(other), [403, 'forbidden']);
    await target.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
    assertNo(await restore(administrator), [404, 'not_found']);
  });
});
