import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
import { ask, enroll, enrollmentOf, solve } from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

const conflict = [409, 'idempotency_conflict'] as const;
const unauthorized = [401, 'unauthorized'] as const;

const isReplayed = ({ headers }: ForumReply) => headers.get('idempotent-replayed') === 'true';

/** Asserts that a request was answered as the first one was, and that this one says so. */
function assertSame(again: ForumReply, first: ForumReply): void {
  assert.equal(again.text, first.text);
  assert.deepEqual([again.status, isReplayed(again)], [first.status, true]);
  assert.equal(first.headers.get('idempotent-replayed'), null);
}

forEachEngine((engine) => {
  describe('a key', () => {
    let house: TestHouse;
    let api: ForumApi;
    let members = 0;
    before(async () => {
      house = await openForumHouse({ engine });
      api = forumOf(house);
    });
    after(() => house.close());

    const join = (given?: Parameters<typeof joinForum>[2]) => {
      members += 1;
      return joinForum(house, `keyed_${members}`, given);
    };
    const body = { title: 'Once', body: 'Said once.' };
    const post = (member: Member, key: string, sent: unknown = body) =>
      member.call('POST', '/posts', { key, body: sent });
    const countOf = async (member: Member) =>
      (await member.call('GET', '/me/export')).body.posts.length;

    test('makes a repeated request act once [FORUM-219]', async () => {
      const member = await join();
      const first = await post(member, 'a');
      assert.equal(first.status, 201);
      assertSame(await post(member, 'a'), first);
      assertSame(await post(member, 'a'), first);
      assert.equal(await countOf(member), 1);
      assert.ok(!isReplayed(await post(member, 'b')));
      assert.equal(await countOf(member), 2);
    });

    test('is 1 to 64 letters, digits and _ - : . [FORUM-220]', async () => {
      const member = await join();
      for (const key of ['k', `${'aZ0_-:.'.repeat(9)}x`]) {
        assert.equal((await post(member, key)).status, 201, key);
      }
      for (const key of ['', 'x'.repeat(65), 'a b', 'a/b', 'a,b', 'é', '"a"']) {
        const refused = await post(member, key);
        assertNo(refused, [400, 'bad_request'], { field: 'Idempotency-Key' });
      }
      assert.equal(await countOf(member), 2);
      // Neither is it read where nobody is known.
      const headers = { 'idempotency-key': 'a b' };
      const asked = await api.call('POST', '/challenges', { headers, body: { handle: 'keyless' } });
      assertNo(asked, [400, 'bad_request'], { field: 'Idempotency-Key' });
    });

    test('stands for one request: another one is a conflict, the same in other spelling is not [FORUM-221]', async () => {
      const member = await join();
      const first = await post(member, 'a');
      assertSame(await post(member, 'a', '{ "body": "Said once." ,\n "title":"Once"}'), first);
      for (const other of [
        { ...body, title: 'Twice' },
        { ...body, kind: 'post' },
        { ...body, extra: 1 },
        {},
      ]) {
        assertNo(await post(member, 'a', other), conflict);
      }
      assertNo(await member.call('POST', '/posts?a=b', { key: 'a', body }), conflict);
      assertNo(await member.call('POST', '/reports', { key: 'a', body }), conflict);
      assertNo(await member.call('POST', '/me/token', { key: 'a', body: {} }), conflict);
      assert.equal(await countOf(member), 1);
      assert.equal((await member.call('GET', '/me')).status, 200);
    });

    test('is remembered for a day to the second [FORUM-222]', async () => {
      const member = await join();
      const first = await post(member, 'a');
      house.clock.advance(86_399_000);
      assertSame(await post(member, 'a'), first);
      house.clock.advance(1_000);
      const anew = await post(member, 'a');
      assert.deepEqual([anew.status, isReplayed(anew)], [201, false]);
      assert.equal(await countOf(member), 2);
      assertSame(await post(member, 'a'), anew);
    });

    test('belongs to one account, whatever its token is [FORUM-223]', async () => {
      const [one, two] = [await join(), await join()];
      const first = await post(one, 'a');
      const other = await post(two, 'a');
      assert.equal(isReplayed(other), false);
      assert.notEqual(other.body.id, first.body.id);
      const { token } = (await one.call('POST', '/me/token')).body;
      assertSame(await api.call('POST', '/posts', { token, key: 'a', body }), first);
    });

    test('sent a hundred times at once acts once, and all are answered alike [FORUM-224]', async () => {
      const member = await join();
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(member, 'a')));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      assert.equal(answers.filter((answer) => !isReplayed(answer)).length, 1);
      assert.equal(await countOf(member), 1);
      // What was answered again took nothing of the write limit (D-FORUM-111).
      const different = await Promise.all(
        Array.from({ length: 9 }, (_, index) => post(member, `b${index}`)),
      );
      assert.ok(different.every(({ status }) => status === 201));
    });

    test('of a request that was refused is free [FORUM-225]', async () => {
      const member = await join();
      assert.equal((await post(member, 'a', { title: 'Once' })).status, 400);
      const first = await post(member, 'a');
      assert.deepEqual([first.status, isReplayed(first)], [201, false]);
      for (let made = 0; made < 9; made += 1) await post(member, `b${made}`);
      assert.equal((await post(member, 'later')).status, 429);
      // What was done is answered again although the limit has been reached since.
      assertSame(await post(member, 'a'), first);
      house.clock.advance(600_000);
      assert.deepEqual((await post(member, 'later')).status, 201);
    });

    test('works on every POST of a member [FORUM-227]', async () => {
      const member = await join();
      const staff = await join({ role: 'administrator' });
      const { body: root } = await post(member, 'root');
      const { body: policy } = await api.call('GET', '/policy');
      const reason = 'a reason of more than ten characters';
      const { body: report } = await staff.call('POST', '/reports', {
        body: { post_id: root.id, reason },
      });
      const accepted = {
        accept_policy: true,
        policy_sha256: policy.sha256,
        policy_version: policy.policy_version,
      };
      const requests: [Member, string, unknown][] = [
        [member, '/posts', { parent_id: root.id, audience: 'agents', body: 'A reply.' }],
        [member, '/reports', { post_id: root.id, reason }],
        [member, '/policy/accept', accepted],
        [member, '/me/digest/seen', { cursor: 0 }],
        [staff, `/moderation/reports/${report.id}/resolve`, {}],
        [staff, `/moderation/posts/${root.id}`, { status: 'hidden', reason }],
        [staff, `/moderation/accounts/${member.id}`, { status: 'active', reason }],
      ];
      for (const [index, [who, path, sent]] of requests.entries()) {
        const send = () => who.call('POST', path, { key: `each-${index}`, body: sent });
        const first = await send();
        assert.ok(first.status < 300, `${path}: ${first.text}`);
        house.clock.advance(1_000);
        assertSame(await send(), first);
      }
    });

    test('on another method than POST means nothing [FORUM-232]', async () => {
      const member = await join();
      const { body: root } = await post(member, 'root');
      const key = 'the-same';
      for (const bio of ['one', 'two']) {
        const changed = await member.call('PATCH', '/me', { key, body: { bio } });
        assert.deepEqual([changed.body.bio, isReplayed(changed)], [bio, false]);
      }
      for (const text of ['one', 'two']) {
        const kept = await member.call('PUT', '/notes/a', { key, body: { text } });
        assert.ok(kept.status === 200 || kept.status === 201);
      }
      assert.equal((await member.call('GET', '/notes/a', { key })).body.text, 'two');
      assert.equal((await member.call('GET', '/me', { key: 'of no form' })).status, 200);
      assert.equal((await member.call('DELETE', `/posts/${root.id}`, { key })).status, 200);
      assertNo(await member.call('DELETE', `/posts/${root.id}`, { key }), [404, 'not_found']);
    });

    test('makes one account of a repeated enrollment, and tells its token again [FORUM-227] [FORUM-228]', async () => {
      const client = freshAddress();
      const challenge = await ask(api, 'keyed_newcomer', { client });
      const enrollment = enrollmentOf(challenge, { bio: 'one' });
      const send = (sent: unknown, from = client) =>
        api.call('POST', '/accounts', { client: from, key: 'enroll', body: sent });
      const wrong = await send({ ...enrollment, display_name: '' });
      assert.equal(wrong.status, 400);
      const renewed = await ask(api, 'keyed_newcomer', { client });
      const good = enrollmentOf(renewed);
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(good)));
      const first = answers.find((answer) => !isReplayed(answer));
      assert.ok(first);
      assert.equal(first.status, 201);
      for (const again of answers) if (again !== first) assertSame(again, first);
      assertNo(await send({ ...good, bio: 'two' }), conflict);
      // From elsewhere it is another's request.
      assertNo(await send(good, freshAddress()), [409, 'challenge_unusable']);
      const { token, account } = first.body;
      assert.equal((await api.call('GET', '/me', { token })).body.id, account.id);
    });

    test('gives the same challenge again while that can be used, and then another [FORUM-227]', async () => {
      const client = freshAddress();
      const handle = 'keyed_challenge';
      const send = (sent: unknown = { handle, tier: 'guest' }) =>
        api.call('POST', '/challenges', { client, key: 'ask', body: sent });
      const first = await send();
      assertSame(await send(), first);
      assertNo(await send({ handle }), conflict);
      house.clock.advance(120_000);
      const second = await send();
      assert.deepEqual([second.status, isReplayed(second)], [201, false]);
      const wrong = enrollmentOf(second.body, { nonce: 'x' });
      assert.equal((await api.call('POST', '/accounts', { client, body: wrong })).status, 400);
      const third = await send();
      assert.deepEqual([third.status, isReplayed(third)], [201, false]);
      assert.notEqual(third.body.id, second.body.id);
    });

    test('upgrades a guest once [FORUM-227]', async () => {
      const guest = await join({ tier: 'guest' });
      const client = freshAddress();
      const ask_again = () =>
        guest.call('POST', '/me/upgrade/challenge', { client, key: 'ask', body: {} });
      const asked = await ask_again();
      assertSame(await ask_again(), asked);
      const sent = { challenge_id: asked.body.id, nonce: solve(asked.body) };
      const send = () => guest.call('POST', '/me/upgrade', { client, key: 'up', body: sent });
      const first = await send();
      assert.equal(first.status, 200, first.text);
      assertSame(await send(), first);
      assert.equal((await guest.call('GET', '/me')).body.tier, 'full');
    });

    test('tells the token of a recovery again to who knows the passphrase [FORUM-229]', async () => {
      const passphrase = 'a passphrase to recover with';
      const { account } = await enroll(api, 'keyed_recovery', { recovery_passphrase: passphrase });
      const client = freshAddress();
      const { handle } = account;
      const send = (sent: unknown) =>
        api.call('POST', '/accounts/recover', { client, key: 'recover', body: sent });
      const first = await send({ handle, passphrase });
      assert.equal(first.status, 200);
      assertSame(await send({ handle, passphrase }), first);
      assertNo(await send({ handle, passphrase: 'another passphrase' }), [401, 'recovery_failed']);
      const { token } = first.body;
      assert.equal((await api.call('GET', '/me', { token })).status, 200);
    });

    test('of a rotation tells the new token to the old one, until the new one is used [FORUM-230]', async () => {
      const key = 'a-key-that-nobody-else-can-guess';
      assert.equal(key.length, 32);
      const rotate = (member: Member, used: string) =>
        member.call('POST', '/me/token', { key: used });
      const member = await join();
      const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(member, key)));
      const first = answers.find((answer) => !isReplayed(answer));
      assert.ok(first);
      assert.equal(first.status, 200);
      for (const again of answers) if (again !== first) assertSame(again, first);
      assertSame(await rotate(member, key), first);
      assertNo(await rotate(member, `${key}x`), unauthorized);
      assertNo(await member.call('POST', '/me/token'), unauthorized);
      assertNo(await member.call('GET', '/me', { key }), unauthorized);
      assertNo(await post(member, key), unauthorized);
      const { token } = first.body;
      assert.equal((await api.call('GET', '/me', { token })).status, 200);
      assertNo(await rotate(member, key), unauthorized);
      assert.equal((await api.call('GET', '/me', { token })).status, 200);

      const short = await join();
      const { body: rotated } = await rotate(short, key.slice(1));
      assertNo(await rotate(short, key.slice(1)), unauthorized);
      assert.equal((await api.call('GET', '/me', { token: rotated.token })).status, 200);
    });
  });
});
