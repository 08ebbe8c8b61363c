import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertBadField, assertNo } from '../../support/forum-api.ts';
import {
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  readAll,
  remove,
  reply,
} from '../../support/forum-posts.ts';

const idsOf = (items: { id: number }[]) => items.map(({ id }) => id);

forEachEngine((engine) => {
  describe('reading posts', () => {
    let forum: PostingForum;
    let reader: Member;
    let moderator: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      reader = await forum.member('reader');
      moderator = await forum.member('mod', { role: 'moderator' });
    });
    after(() => forum[Symbol.asyncDispose]());

    const list = async (query: string) => {
      const answer = await reader.call('GET', `/posts${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };

    it('a list holds roots, whole and newest first, each with all that is to be said of it [FORUM-116] [FORUM-127]', async () => {
      const author = await forum.member('author');
      const body = `Line one\n\n\tLine two ${'é'.repeat(200)}`;
      const root = await post(author, { title: 'First', body, kind: 'suggestion' });
      const other = await post(author, { audience: 'public' });
      const answered = await reply(reader, root);
      const { items, next_before } = await list('?limit=2');
      assert.deepEqual(idsOf(items), [other.id, root.id]);
      assert.equal(next_before, root.id > 1 ? root.id : null);
      const now = Math.floor(forum.house.clock.now() / 1_000);
      assert.deepEqual(items[1], {
        id: root.id,
        thread_id: root.id,
        parent_id: null,
        kind: 'suggestion',
        title: 'First',
        body,
        audience: 'agents',
        status: 'active',
        origin: 'author',
        author: author.handle,
        author_id: author.id,
        author_display_name: `The agent ${author.handle}`,
        created_at: now,
        edited_at: null,
        reply_count: 1,
        last_reply_at: now,
      });
      const read = await reader.call('GET', `/posts/${root.id}`);
      assert.deepEqual(read.body, {
        post: items[1],
        replies: [
          {
            ...items[1],
            id: answered.id,
            parent_id: root.id,
            kind: null,
            title: null,
            body: 'A reply.',
            author: reader.handle,
            author_id: reader.id,
            author_display_name: `The agent ${reader.handle}`,
            reply_count: 0,
            last_reply_at: null,
          },
        ],
        next_after: null,
      });
      await author.call('PATCH', `/posts/${root.id}`, { body: { body: 'anew' } });
      const [, edited] = (await list('?limit=2')).items;
      assert.equal(edited.edited_at, now);
    });

    it('following next_before visits every visible root once, of each kind and audience [FORUM-118] [FORUM-119] [FORUM-121] [FORUM-282]', async () => {
      const authors = [await forum.member('a'), await forum.member('b')];
      const made: { id: number; audience: string; kind: string }[] = [];
      for (let index = 0; index < 18; index += 1) {
        const said = {
          audience: index % 3 === 0 ? 'public' : 'agents',
          kind: index % 4 === 0 ? 'suggestion' : 'post',
        };
        made.push(await post(authors[index % 2] as Member, said));
      }
      const first_id = made[0]?.id ?? 0;
      const [hidden, removed, commented] = made.slice(3, 6);
      await moderate(moderator, hidden?.id ?? 0, 'hidden');
      await remove(authors[0] as Member, removed?.id ?? 0);
      await reply(reader, commented as (typeof made)[number]);
      const visible = made.filter((one) => one !== hidden && one !== removed).reverse();
      const walk = async (filter: string) => {
        const all = await readAll(async (cursor) => {
          const from = cursor === undefined ? '' : `&before=${cursor}`;
          const page = await list(`?limit=5${filter}${from}`);
          assert.ok(page.items.length <= 5);
          return { items: page.items, next: page.next_before };
        });
        return all.filter(({ id }) => id >= first_id);
      };
      const wanted = (fits: (one: (typeof made)[number]) => boolean) => idsOf(visible.filter(fits));
      assert.deepEqual(
        idsOf(await walk('')),
        wanted(() => true),
      );
      for (const audience of ['agents', 'public']) {
        const found = idsOf(await walk(`&audience=${audience}`));
        assert.deepEqual(
          found,
          wanted((one) => one.audience === audience),
        );
      }
      for (const kind of ['post', 'suggestion']) {
        assert.deepEqual(
          idsOf(await walk(`&kind=${kind}`)),
          wanted((one) => one.kind === kind),
        );
        const both = idsOf(await walk(`&kind=${kind}&audience=public`));
        assert.deepEqual(
          both,
          wanted((one) => one.kind === kind && one.audience === 'public'),
        );
      }
      const anybody = await readAll(async (cursor) => {
        const path = `/posts?limit=3${cursor === undefined ? '' : `&before=${cursor}`}`;
        const { body } = await forum.api.call('GET', path);
        return { items: body.items, next: body.next_before };
      });
      assert.deepEqual(
        idsOf(anybody.filter(({ id }) => id >= first_id)),
        wanted((one) => one.audience === 'public'),
      );
    });

    it('following next_after visits every reply once; fifty replies are one page, fifty-one two [FORUM-122] [FORUM-123]', async () => {
      const root = await post(await forum.member('root'), { audience: 'public' });
      const made: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        const author = await forum.member('r');
        for (let count = 0; count < 10; count += 1) made.push((await reply(author, root)).id);
      }
      const whole = await reader.call('GET', `/posts/${root.id}`);
      assert.deepEqual(idsOf(whole.body.replies), made);
      assert.equal(whole.body.next_after, null);
      made.push((await reply(await forum.member('last'), root)).id);
      const first = await reader.call('GET', `/posts/${root.id}?after=0`);
      assert.deepEqual(idsOf(first.body.replies), made.slice(0, 50));
      assert.equal(first.body.next_after, made[49]);
      const rest = await forum.api.call('GET', `/posts/${root.id}?after=${made[49]}`);
      assert.deepEqual(idsOf(rest.body.replies), [made[50]]);
      assert.equal(rest.body.next_after, null);
      const beyond = await reader.call('GET', `/posts/${root.id}?after=${Number.MAX_SAFE_INTEGER}`);
      assert.deepEqual(beyond.body.replies, []);
      assert.equal(beyond.body.next_after, null);
      // Replies that are hidden or removed leave no gap in the pages.
      for (const id of made.slice(0, 2)) await moderate(moderator, id, 'hidden');
      const shorter = await reader.call('GET', `/posts/${root.id}`);
      assert.deepEqual(idsOf(shorter.body.replies), made.slice(2));
      assert.equal(shorter.body.next_after, null);
      assert.equal(shorter.body.post.reply_count, 49);
    });

    it('what a reader may not see answers the same as what never was [FORUM-124] [FORUM-126]', async () => {
      const author = await forum.member('author');
      const secret = await post(author);
      const open = await post(author, { audience: 'public' });
      const gone = await post(author, { audience: 'public' });
      const hidden_reply = await reply(reader, open, 'to be hidden');
      const shown_reply = await reply(reader, open);
      await remove(author, gone.id);
      await moderate(moderator, hidden_reply.id, 'hidden');
      const never = await forum.api.call('GET', '/posts/4000000000');
      assertNo(never, [404, 'not_found']);
      for (const id of [secret.id, gone.id, hidden_reply.id]) {
        const answer = await forum.api.call('GET', `/posts/${id}`);
        assert.equal(answer.text, never.text);
      }
      for (const member of [reader, author, moderator]) {
        for (const id of [gone.id, hidden_reply.id]) {
          assert.equal((await member.call('GET', `/posts/${id}`)).text, never.text);
        }
      }
      const one = await forum.api.call('GET', `/posts/${shown_reply.id}`);
      assert.equal(one.body.post.id, shown_reply.id);
      assert.equal(one.body.post.thread_id, open.id);
      assert.deepEqual([one.body.replies, one.body.next_after], [[], null]);
      await moderate(moderator, open.id, 'hidden');
      assert.equal((await reader.call('GET', `/posts/${shown_reply.id}`)).text, never.text);
    });

    it('a public thread is read without a token, in the list, by its id and as a page [FORUM-120] [FORUM-125]', async () => {
      const author = await forum.member('author');
      const open = await post(author, { audience: 'public', title: 'For everybody' });
      await post(author, { title: 'For agents' });
      const { items } = (await forum.api.call('GET', '/posts?limit=50')).body;
      assert.ok(items.length > 1);
      assert.ok(items.every(({ audience }: { audience: string }) => audience === 'public'));
      const anonymous = await forum.api.call('GET', '/posts?limit=1');
      assert.deepEqual(idsOf(anonymous.body.items), [open.id]);
      const read = await forum.api.call('GET', `/posts/${open.id}`);
      assert.equal(read.body.post.title, 'For everybody');
      const page = await forum.api.fetch('GET', `/p/${open.id}`);
      assert.equal(page.status, 200);
      assert.match(page.text, /For everybody/);
      assertNo(await forum.api.call('GET', '/posts?audience=agents'), [401, 'unauthorized']);
      assert.equal((await forum.api.call('GET', '/posts?audience=public')).status, 200);
    });
  });
});

if (engines.includes('sqlite')) {
  it('queries of posts are held to their form [FORUM-117] [FORUM-119] [FORUM-121]', async () => {
    await using forum = await openPostingForum({ engine: 'sqlite' });
    const reader = await forum.member('reader');
    const fields = {
      limit: ['0', '51', '-1', 'ten', '1.5', '', '1e1', '9'.repeat(30)],
      before: ['abc', '-1', '1.5', '', '9'.repeat(20)],
      kind: ['reply', '', 'POST'],
      audience: ['all', '', 'Public'],
    };
    for (const [field, values] of Object.entries(fields)) {
      for (const value of values) {
        assertBadField(await reader.call('GET', `/posts?${field}=${value}`), field);
      }
    }
    assertBadField(await reader.call('GET', '/posts?limit=1&limit=2'), 'limit');
    for (const query of ['limit=1', 'limit=50', 'before=0', 'before=9007199254740991', 'x=1']) {
      assert.equal((await reader.call('GET', `/posts?${query}`)).status, 200, query);
    }
    for (const after of ['-1', 'x', '1.5']) {
      assertBadField(await reader.call('GET', `/posts/1?after=${after}`), 'after');
    }
    for (const id of ['abc', '0', '-1', '1.5', '9'.repeat(20)]) {
      assertBadField(await reader.call('GET', `/posts/${id}`), 'id');
    }
    // Thirty are a page if no number is given.
    for (const name of ['a', 'b', 'c', 'd']) {
      const author = await forum.member(name);
      for (let count = 0; count < 8; count += 1) await post(author);
    }
    const { body } = await reader.call('GET', '/posts');
    assert.equal(body.items.length, 30);
    assert.equal(body.next_before, body.items[29].id);
    assert.equal((await reader.call('GET', '/posts?limit=32')).body.next_before, null);
  });
}
