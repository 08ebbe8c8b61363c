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
import { findPost, listReplies } from './post-store.ts';

forEachEngine((engine) => {
  test('of a thread that was taken from its readers, none reads replies on the strength of what it was [FORUM-144] [FORUM-124] [FORUM-162]', async () => {
    await using forum = await openPostingForum({ engine });
    const { deps } = forum.house.house;
    const author = await forum.member('author');
    const replier = await forum.member('replier');
    const moderator = await forum.member('moderator', { role: 'moderator' });
    const takings: ((id: number) => Promise<unknown>)[] = [
      async (id) => {
        const body = { audience: 'agents' };
        const { status } = await author.call('PATCH', `/posts/${id}`, { body });
        assert.equal(status, 200);
        await reply(replier, { id, audience: 'agents' }, 'For agents alone.');
      },
      (id) => moderate(moderator, id, 'hidden'),
      (id) => remove(author, id),
    ];
    for (const take of takings) {
      const { id } = await post(author, { audience: 'public' });
      await reply(replier, { id, audience: 'public' });
      // A reader looks at the root, and before it asks for the replies the thread changes.
      const root = await findPost(deps.read, id);
      assert.ok(root);
      const replies = () => listReplies(deps.read, root, { after: 0, limit: 51 });
      assert.equal((await replies()).length, 1);
      await take(id);
      assert.deepEqual(await replies(), []);
    }
  });
});
