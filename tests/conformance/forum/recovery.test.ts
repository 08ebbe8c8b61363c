import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  assertTooMany,
  type ForumApi,
  type ForumReply,
  forumOf,
  freshAddress,
  openForumHouse,
  type Sent,
} from '../../support/forum-api.ts';
import {
  countTries,
  recoveries_of_address,
  recoveries_of_handle,
} from '../../support/forum-tries.ts';
import type { TestHouse } from '../../support/open-house.ts';

const passphrase = 'twelve chars';
const note = { text: 'What I must not forget', tags: ['memory'] };

/** A member that has a note and a passphrase, and its handle's recovery. */
type Keeper = Member & { recover(given?: string, sent?: Sent): Promise<ForumReply> };

const token_form = /^ft_[A-Za-z0-9_-]{43}$/;

forEachEngine((engine) => {
  describe('tokens and recovery', () => {
    let house: TestHouse;
    let api: ForumApi;
    let members = 0;

    const recover = (handle: string, given: unknown, sent: Sent = {}) =>
      api.call('POST', '/accounts/recover', { body: { handle, passphrase: given }, ...sent });

    async function join(given?: Parameters<typeof joinForum>[2]): Promise<Keeper> {
      members += 1;
      const member = await joinForum(house, `keeper_${members}`, given);
      assert.equal((await member.call('PUT', '/notes/kept', { body: note })).status, 201);
      return {
        ...member,
        recover: (said = passphrase, sent) => recover(member.handle, said, sent),
      };
    }

    const set = async (member: Member, said = passphrase, token = member.token) => {
      const answer = await member.call('PUT', '/me/recovery', {
        body: { passphrase: said },
        token,
      });
      assert.deepEqual([answer.status, answer.body], [200, { recovery_set: true }]);
    };

    /** Whether a token is live, and reads the notes; one that is neither is refused in every way. */
    async function isLive(token: string): Promise<boolean> {
      const read = await api.call('GET', '/notes/kept', { token });
      if (read.status === 200) {
        assert.deepEqual([read.body.text, read.body.tags], [note.text, note.tags]);
        return true;
      }
      assertNo(read, [401, 'unauthorized']);
      assertNo(await api.call('GET', '/me', { token }), [401, 'unauthorized']);
      return false;
    }

    before(async () => {
      house = await openForumHouse({ engine });
      api = forumOf(house);
    });
    after(() => house.close());

    it('a rotated token is dead at once, the new one reads the notes [FORUM-086] [FORUM-193]', async () => {
      const member = await join();
      const { status, body } = await member.call('POST', '/me/token');
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['token', 'created_at']);
      assert.match(body.token, token_form);
      assert.equal(body.created_at, Math.floor(house.clock.now() / 1_000));
      assert.deepEqual([await isLive(member.token), await isLive(body.token)], [false, true]);
      assertNo(await member.call('POST', '/me/token'), [401, 'unauthorized']);
      const again = await api.call('POST', '/me/token', { token: body.token, body: {} });
      assert.deepEqual([await isLive(body.token), await isLive(again.body.token)], [false, true]);
    });

    it('of parallel rotations with one token exactly one gives a token, and it alone works [FORUM-087]', async () => {
      const member = await join();
      // Whichever process of the house each of them reaches.
      await using other =
        engine === 'postgres' ? await openForumHouse({ engine, beside: house }) : undefined;
      const apis = [api, other ? forumOf(other) : api];
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          apis[index % 2]?.call('POST', '/me/token', { token: member.token }),
        ),
      ).then((all) => all.filter((answer) => answer !== undefined));
      assert.equal(answers.length, 12);
      const won = answers.filter(({ status }) => status === 200);
      assert.equal(won.length, 1);
      for (const lost of answers.filter(({ status }) => status !== 200)) {
        assertNo(lost, [401, 'unauthorized']);
      }
      assert.deepEqual(
        [await isLive(member.token), await isLive(won[0]?.body.token)],
        [false, true],
      );
    });

    it('a write that a rotation overtakes is refused, and stores nothing [FORUM-086]', async () => {
      const member = await join();
      const [rotated, ...puts] = await Promise.all([
        member.call('POST', '/me/token'),
        ...['a', 'b', 'c'].map((name) => member.call('PUT', `/notes/${name}`, { body: note })),
      ]);
      assert.equal(rotated?.status, 200);
      const { token } = rotated.body;
      const { body } = await api.call('GET', '/notes', { token });
      const stored = puts.filter(({ status }) => status === 201).length;
      assert.equal(body.total, 1 + stored);
      for (const { status } of puts) assert.ok(status === 201 || status === 401);
    });

    it('a passphrase gives a new token, ends every older one, and stays valid [FORUM-198] [FORUM-199] [FORUM-200] [FORUM-193]', async () => {
      const member = await join();
      await set(member);
      assert.equal((await member.call('GET', '/me')).body.recovery_set, true);
      assert.equal(await isLive(member.token), true);
      const first = await member.recover();
      assert.equal(first.status, 200);
      const { token } = first.body;
      assert.match(token, token_form);
      assert.deepEqual(first.body, { token, id: member.id, handle: member.handle });
      assert.deepEqual([await isLive(member.token), await isLive(token)], [false, true]);
      const second = await member.recover();
      assert.deepEqual([await isLive(token), await isLive(second.body.token)], [false, true]);

      const later = { ...member, token: second.body.token };
      await set(later, 'another passphrase');
      assertNo(await member.recover(), [401, 'recovery_failed']);
      assert.equal(await isLive(later.token), true);
      const rotated = (await api.call('POST', '/me/token', { token: later.token })).body.token;
      const third = await member.recover('another passphrase');
      assert.deepEqual([await isLive(rotated), await isLive(third.body.token)], [false, true]);
    });

    it('a passphrase that was removed recovers nothing; notes stay [FORUM-201] [FORUM-193]', async () => {
      const member = await join();
      await set(member);
      for (let times = 0; times < 2; times += 1) {
        const gone = await member.call('DELETE', '/me/recovery');
        assert.deepEqual([gone.status, gone.body], [200, { recovery_set: false }]);
      }
      assert.equal((await member.call('GET', '/me')).body.recovery_set, false);
      assertNo(await member.recover(), [401, 'recovery_failed']);
      assert.equal(await isLive(member.token), true);
    });

    it('a fifth attempt of an address and a tenth of a handle are tried, the next are not, right or wrong, and a restart forgets none [FORUM-203] [FORUM-204] [FORUM-205] [FORUM-278] [FORUM-281]', async () => {
      const member = await join();
      const client = freshAddress();
      // Nobody is called so: such attempts count as others do.
      for (let attempt = 0; attempt < 4; attempt += 1) {
        house.clock.advance(60_000);
        assertNo(await recover(`nobody_${attempt}`, passphrase, { client }), [
          401,
          'recovery_failed',
        ]);
      }
      await set(member);
      await house.restart();
      const fifth = await member.recover(passphrase, { client });
      assert.equal(fifth.status, 200);
      // The first was made three minutes before.
      assertTooMany(await member.recover(passphrase, { client }), 'recovery_address', 3_420);
      house.clock.advance(3_419_999);
      assertTooMany(await member.recover('wrong', { client }), 'recovery_address', 1);
      assert.equal(await isLive(fifth.body.token), true);
      house.clock.advance(1);
      assertNo(await member.recover('wrong', { client }), [401, 'recovery_failed']);

      const { handle } = member;
      // Two were tried above; the next six are counted without the work of each.
      await countTries(house, { limit: recoveries_of_handle, key: handle }, 6);
      assertNo(await recover(handle, 'wrong'), [401, 'recovery_failed']);
      await house.restart();
      const tenth = await recover(handle, passphrase);
      assert.equal(tenth.status, 200);
      const day = 86_400;
      assertTooMany(await recover(handle, passphrase), 'recovery_handle', day - 3_420);
      // What was refused counted for nobody: the address it came from has all its attempts.
      const other = freshAddress();
      assertTooMany(
        await recover(handle, 'wrong', { client: other }),
        'recovery_handle',
        day - 3_420,
      );
      for (let attempt = 0; attempt < 2; attempt += 1) {
        assertNo(await recover('nobody_else', 'wrong', { client: other }), [
          401,
          'recovery_failed',
        ]);
      }
      house.clock.advance((day - 3_420) * 1_000);
      assert.equal((await recover(handle, passphrase)).status, 200);
    });

    it('a recovery repeated with its key answers the first token, and only to who knows the passphrase [FORUM-229] [FORUM-227] [FORUM-219] [FORUM-231]', async () => {
      const member = await join();
      await set(member);
      const sent = { key: 'a-key:of.mine_1', client: freshAddress() };
      const both = await Promise.all([
        member.recover(passphrase, sent),
        member.recover(passphrase, sent),
      ]);
      const [first, second] = both.toSorted(
        (a, b) =>
          Number(a.headers.has('idempotent-replayed')) -
          Number(b.headers.has('idempotent-replayed')),
      );
      assert.ok(first && second);
      assert.equal(first.headers.get('idempotent-replayed'), null);
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual([second.status, second.body], [200, first.body]);
      assertNo(await member.recover('not the passphrase', sent), [401, 'recovery_failed']);
      const other = { ...sent, body: { handle: 'somebody_else', passphrase } };
      assertNo(await api.call('POST', '/accounts/recover', other), [409, 'idempotency_conflict']);
      assert.equal(await isLive(first.body.token), true);

      const kept = await house.house.deps.read
        .selectFrom('forum_kept_answer')
        .selectAll()
        .execute();
      const sealed = kept.find(({ account_id }) => account_id === member.id);
      assert.equal(sealed?.body, null);
      assert.ok(sealed?.box?.length > 0);

      // The token that is kept for it ends, and with it what is kept.
      await api.call('POST', '/me/token', { token: first.body.token });
      const anew = await member.recover(passphrase, sent);
      assert.equal(anew.headers.get('idempotent-replayed'), null);
      assert.notEqual(anew.body.token, first.body.token);
      assert.equal(await isLive(anew.body.token), true);
    });
  });
});

if (engines.includes('sqlite')) {
  describe('what recovery refuses', () => {
    let house: TestHouse;
    let api: ForumApi;
    const recover = (body: unknown, sent: Sent = {}) =>
      api.call('POST', '/accounts/recover', { body, ...sent });
    before(async () => {
      house = await openForumHouse({ engine: 'sqlite' });
      api = forumOf(house);
    });
    after(() => house.close());

    it('passphrases have 12 to 256 characters when they are set [FORUM-198]', async () => {
      const member = await joinForum(house, 'setter');
      const set = (body: unknown) => member.call('PUT', '/me/recovery', { body });
      for (const said of ['🦀'.repeat(12), 'x'.repeat(256)]) {
        assert.equal((await set({ passphrase: said })).status, 200);
      }
      for (const said of [
        'x'.repeat(11),
        '🦀'.repeat(11),
        'x'.repeat(257),
        ' '.repeat(12),
        'nul\0 in its middle',
        123_456_789_012,
        null,
      ]) {
        assertBadField(await set({ passphrase: said }), 'passphrase');
      }
      assertBadField(await set({}), 'passphrase');
      assertNo(await set('{"passphrase":"\\ud800 twelve chars"}'), [400, 'bad_request']);
      assertNo(await api.call('PUT', '/me/recovery', { body: {} }), [401, 'unauthorized']);
      assertNo(await api.call('DELETE', '/me/recovery'), [401, 'unauthorized']);
      assertNo(await api.call('POST', '/me/token'), [401, 'unauthorized']);
    });

    it('all that opens no account is refused alike, and after the same work [FORUM-202] [FORUM-175]', async () => {
      const setter = await joinForum(house, 'right_one');
      await setter.call('PUT', '/me/recovery', { body: { passphrase } });
      const { passphrase_salt, passphrase_wrap } = await house.house.deps.read
        .selectFrom('forum_account')
        .selectAll()
        .where('id', '=', setter.id)
        .executeTakeFirstOrThrow();
      const wrapped = { passphrase_salt, passphrase_wrap };
      await joinForum(house, 'without_one');
      await joinForum(house, 'other_account', wrapped);
      await joinForum(house, 'suspended_one', { ...wrapped, status: 'suspended' });
      await joinForum(house, 'expired_one', { ...wrapped, tier: 'guest', expires_at: 1 });
      let checks = 0;
      const said = new Set<string>();
      for (const [handle, given] of [
        ['right_one', 'not the right one'],
        ['right_one', 'x'],
        ['nobody_at_all', passphrase],
        ['without_one', passphrase],
        ['other_account', passphrase],
        ['suspended_one', passphrase],
        ['expired_one', passphrase],
      ] as const) {
        const begun = process.cpuUsage();
        const answer = await recover({ handle, passphrase: given });
        const { user, system } = process.cpuUsage(begun);
        assertNo(answer, [401, 'recovery_failed']);
        said.add(answer.text);
        // An argon2id of 64 MiB and three passes takes far longer than all the rest.
        if (user + system > 30_000) checks += 1;
      }
      assert.equal(said.size, 1);
      assert.equal(checks, 7);
    });

    it('what is not well-formed is not tried and does not count [FORUM-203]', async () => {
      const client = freshAddress();
      for (const body of [
        {},
        { handle: 'right_one' },
        { passphrase },
        { handle: 'Right_One', passphrase },
      ]) {
        assertNo(await recover(body, { client }), [400, 'bad_request'], {
          field: 'handle' in body && body.handle === 'right_one' ? 'passphrase' : 'handle',
        });
      }
      for (const wrong of [1, null, '', ['x'], 'x'.repeat(257)]) {
        assertBadField(
          await recover({ handle: 'right_one', passphrase: wrong }, { client }),
          'passphrase',
        );
      }
      assertNo(await recover('[]', { client }), [400, 'bad_request']);
      assertNo(
        await recover({ handle: 'x', passphrase }, { client, key: 'no key' }),
        [400, 'bad_request'],
        {
          field: 'Idempotency-Key',
        },
      );
      await countTries(house, { limit: recoveries_of_address, key: client }, 4);
      house.clock.advance(3_000);
      assertNo(await recover({ handle: 'nobody_x', passphrase }, { client }), [
        401,
        'recovery_failed',
      ]);
      assertTooMany(
        await recover({ handle: 'right_one', passphrase }, { client }),
        'recovery_address',
        3_597,
      );
    });
  });
}
