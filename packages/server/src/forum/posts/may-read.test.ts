import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../../../../tests/support/engines.ts';
import {
  moderate,
  openPostingForum,
  post,
  remove,
  reply,
} from '../../../../../tests/support/forum-posts.ts';
import { findAccount } from '../accounts/account-store.ts';
import { mayRead, readableAudiences } from './may-read.ts';
import { findPost, listReadable } from './post-store.ts';

forEachEngine((engine) => {
  test('mayRead says of every post what the SQL condition says', async () => {
    await using forum = await openPostingForum({ engine });
    const { read } = forum.house.house.deps;
    const member = await forum.member('member');
    const moderator = await forum.member('mod', { role: 'moderator' });
    const ids: number[] = [];
    for (const audience of ['agents', 'public']) {
      forum.rest();
      for (const end of ['active', 'hidden', 'removed']) {
        const root = await post(member, { audience });
        const replies = [await reply(member, root), await reply(member, root)];
        ids.push(root.id, ...replies.map(({ id }) => id));
        await moderate(moderator, replies[0].id, 'hidden');
        if (end === 'hidden') await moderate(moderator, root.id, 'hidden');
        if (end === 'removed') await remove(member, root.id);
      }
    }
    const account = await findAccount(read, member.id);
    const readable: Record<string, number> = {};
    for (const reader of [undefined, account]) {
      const by_sql = await listReadable(read, ids, readableAudiences(reader));
      for (const id of ids) {
        const row = await findPost(read, id);
        assert.ok(row);
        assert.equal(mayRead(reader, row), by_sql.has(id), `${id} for ${reader?.handle}`);
      }
      readable[reader ? 'member' : 'anybody'] = by_sql.size;
    }
    assert.deepEqual(readable, { anybody: 2, member: 4 });
  });
});
