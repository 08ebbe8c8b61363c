import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { forEachEngine } from '../../../../tests/support/engines.ts';
import { joinForum } from '../../../../tests/support/forum-accounts.ts';
import {
  assertNo,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../../../tests/support/forum-api.ts';
import { enroll, publishPolicy } from '../../../../tests/support/forum-enrollment.ts';
import { post, reply } from '../../../../tests/support/forum-posts.ts';
import type { TestHouse } from '../../../../tests/support/open-house.ts';
import { findAccount } from './accounts/account-store.ts';

const tables = [
  ...['forum_account', 'forum_post', 'forum_note', 'forum_kept_answer', 'forum_report'],
  ...['forum_found_agents', 'forum_found_public', 'forum_attempt', 'forum_challenge'],
  ...['forum_audit_target', 'log_entry'],
];

/** Every row of the forum as text, octets in hexadecimal digits. */
async function allRows({ house: { deps } }: TestHouse): Promise<string> {
  const said = [];
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(deps.read);
    said.push(table, ...rows);
  }
  return JSON.stringify(said, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value,
  );
}

/** Resolves once `holds` does; the house's jobs run on their own. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < 300; look += 1) {
    if (await holds()) return;
    await setTimeout(20);
  }
  assert.fail('it did not come to hold');
}

forEachEngine((engine) => {
  test('of a deleted account, and of a guest whose time is over, tombstones stay and nothing that it said [FORUM-093] [FORUM-094] [FORUM-100]', async () => {
    await using house = await openForumHouse({ engine });
    const api = forumOf(house);
    const witness = await joinForum(house, 'witness');
    const administrator = await joinForum(house, 'administers', { role: 'administrator' });
    const other = await post(witness, { title: 'The witness', body: 'was here' });
    const said = {
      display_name: 'Quixotic Name',
      bio: 'quixotic bio',
      model_name: 'quixotic model',
      harness: 'quixotic harness',
      purpose: 'quixotic purpose',
      recovery_passphrase: 'quixotic passphrase',
    };
    for (const how of ['account_deleted', 'guest_expired'] as const) {
      const handle = `quixotic_${how}`;
      const { token, account } = await enroll(api, handle, said);
      const member = {
        ...{ id: account.id, handle, token },
        call: (method: string, path: string, sent = {}) =>
          api.call(method, path, { token, ...sent }),
      };
      const root = await member.call('POST', '/posts', {
        key: 'kept',
        body: { title: 'Quixotic title', body: 'quixotic text', audience: 'public' },
      });
      const own = await reply(member, other, 'quixotic reply');
      await member.call('PUT', '/notes/quixotic', { body: { text: 'quixotic note' } });
      const reason = 'a reason of more than ten characters';
      await witness.call('POST', '/reports', { body: { account_id: account.id, reason } });
      for (const status of ['suspended', 'active']) {
        // What an Idempotency-Key of others keeps is no hiding place for what they were told.
        const told = await administrator.call('POST', `/moderation/accounts/${account.id}`, {
          key: `${status}-${account.id}`,
          body: { status, reason: 'a test' },
        });
        assert.equal(told.body.handle, handle, told.text);
      }
      const before = await findAccount(house.house.deps.read, account.id);
      const secrets = [before?.token_digest, before?.token_wrap, before?.passphrase_wrap].map(
        (secret) => secret?.toString('hex') ?? '',
      );
      assert.ok(secrets.every((secret) => secret.length > 40));

      if (how === 'account_deleted') {
        await member.call('DELETE', '/me', { body: { confirm: 'delete my account' } });
      } else {
        house.clock.advance(604_800_000);
        const isDeleted = async () =>
          (await findAccount(house.house.deps.read, account.id))?.status === 'deleted';
        await eventually(isDeleted);
      }

      const rows = await allRows(house);
      // The copy that its report holds is all that is kept (D-FORUM-38).
      const copies = rows.match(/Quixotic Name|quixotic bio/g) ?? [];
      const reports = await house.house.deps.read
        .selectFrom('forum_report')
        .select('snapshot')
        .execute();
      const snapshots = reports.map(({ snapshot }) => String(snapshot));
      assert.ok(copies.length > 0 && snapshots.every((text) => text.includes('Quixotic Name')));
      const others = snapshots.reduce(
        (left, text) => left.replaceAll(JSON.stringify(text), ''),
        rows,
      );
      for (const text of [...secrets, ...Object.values(said), 'quixotic note', 'quixotic reply']) {
        assert.ok(!others.includes(text), text);
      }
      assert.doesNotMatch(others, new RegExp(`${handle}|[Qq]uixotic (title|text)`));
      const { deps } = house.house;
      const tombstone = await findAccount(deps.read, account.id);
      assert.ok(tombstone && tombstone.handle === null && tombstone.audit_id !== '');
      assert.equal(tombstone.created_at, account.created_at);
      assert.equal(
        tombstone.used_posts_bytes + tombstone.used_notes_bytes + tombstone.note_count,
        0,
      );
      for (const { id } of [root.body, own]) {
        const row = await deps.read
          .selectFrom('forum_post')
          .select(['author_id', 'status', 'removed_by', 'body', 'title'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        assert.deepEqual([row.author_id, row.removed_by, row.body], [account.id, how, '']);
      }
      for (const table of ['forum_note', 'forum_kept_answer']) {
        const kept = await deps.read
          .selectFrom(table)
          .select('account_id')
          .where('account_id', '=', account.id)
          .execute();
        assert.deepEqual(kept, [], table);
      }
    }
  });

  test('policies stay as they were published, and so does who accepted what and when [FORUM-025] [FORUM-035]', async () => {
    await using house = await openForumHouse({ engine });
    const api = forumOf(house);
    const policyOf = async () => (await api.call('GET', '/policy')).text;
    const first = await policyOf();
    const member = await joinForum(house, 'accepts_first');
    house.clock.advance(1_000);
    await house.restart();
    assert.equal(await policyOf(), first);
    await publishPolicy(house);
    const second = await policyOf();
    assert.notEqual(second, first);
    await house.restart();
    assert.equal(await policyOf(), second);
    const { read } = house.house.deps;
    const rows = await read.selectFrom('forum_policy').selectAll().orderBy('version').execute();
    assert.deepEqual(
      rows.map(({ version, sha256 }) => [String(version), sha256]),
      [first, second].map((text) => {
        const { policy_version, sha256 } = JSON.parse(text);
        return [policy_version, sha256];
      }),
    );
    const row = await findAccount(read, member.id);
    assert.deepEqual(
      [row?.accepted_policy_version, row?.accepted_policy_sha256],
      ['1', JSON.parse(first).sha256],
    );
    assert.equal(row?.policy_accepted_at, row?.created_at);
  });
});

test('a fault is told without a word of the inside, and under its request [FORUM-021]', async () => {
  await using house = await openForumHouse({ engine: 'sqlite' });
  const api = forumOf(house);
  const member = await joinForum(house, 'unlucky');
  await house.house.deps.transact(({ db }) => db.schema.dropTable('forum_note').execute());
  const failed = await member.call('GET', '/notes');
  assertNo(failed, [500, 'internal']);
  assert.doesNotMatch(failed.text, /sqlite|table|forum_note|select|Error:/i);
  assert.ok(failed.headers.get('x-request-id'));
  assert.equal((await api.call('GET', '/me', { token: member.token })).status, 200);
});

test('challenges and kept answers are forgotten when their time is over', async () => {
  await using house = await openForumHouse({ engine: 'sqlite' });
  const api = forumOf(house);
  const member = await joinForum(house, 'forgotten');
  await member.call('POST', '/posts', { key: 'k', body: { title: 'a', body: 'b' } });
  const client = freshAddress();
  await api.call('POST', '/challenges', { client, body: { handle: 'forgets' } });
  const { read } = house.house.deps;
  const countOf = async (table: string) =>
    (await read.selectFrom(table).selectAll().execute()).length;
  assert.deepEqual([await countOf('forum_kept_answer'), await countOf('forum_challenge')], [1, 1]);
  house.clock.advance(120_000);
  await eventually(async () => (await countOf('forum_challenge')) === 0);
  assert.equal(await countOf('forum_kept_answer'), 1);
  house.clock.advance(86_400_000);
  await eventually(async () => (await countOf('forum_kept_answer')) === 0);
});
