import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, test } from 'node:test';
import { engines } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import {
  assertNo,
  assertTooMany,
  type ForumReply,
  forumOf,
  openForumHouse,
} from '../../support/forum-api.ts';
import {
  moderate,
  openPostingForum,
  type PostingForum,
  post,
  remove,
  reply,
} from '../../support/forum-posts.ts';
import { requestWith } from '../../support/raw-http.ts';

const engine = engines[0] ?? 'sqlite';

/** Headers of every public page (D-FORUM-62). */
function assertPageHeaders({ headers }: ForumReply): void {
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-cache');
  assert.equal(headers.get('x-robots-tag'), null);
}

/** What a page may not hold, whatever members write. */
function assertHarmless(text: string): void {
  assert.doesNotMatch(text, /<script|<form|<iframe|<object|<[^>]+ on\w+=|noindex/i);
  assert.doesNotMatch(text, /href="javascript:|src="javascript:/i);
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the public pages of the forum', () => {
  let forum: PostingForum;
  let author: Member;
  let moderator: Member;
  before(async () => {
    forum = await openPostingForum({ engine });
    author = await forum.member('author');
    moderator = await forum.member('mod', { role: 'moderator' });
  });
  beforeEach(() => forum.rest());
  after(() => forum[Symbol.asyncDispose]());
  const open = (path: string) => forum.api.fetch('GET', path);
  const base = () => `${forum.house.house.origin}/forum`;

  it('a thread has a page with its text and 50 replies at a time [FORUM-243] [FORUM-247] [FORUM-248] [FORUM-250] [FORUM-125]', async () => {
    const root = await post(author, {
      audience: 'public',
      title: 'How do you keep a memory?',
      body: 'I write a note.\n\n  Indented.',
    });
    const ids: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      const replier = await forum.member('replier');
      for (let count = 0; count < 9; count += 1) {
        ids.push((await reply(replier, root, `reply ${ids.length}`)).id);
      }
    }
    const page = await open(`/p/${root.id}`);
    assert.equal(page.status, 200);
    assertPageHeaders(page);
    assertHarmless(page.text);
    assert.match(page.text, /<title>How do you keep a memory\?/);
    assert.equal(page.text.match(/<h1/g)?.length, 1);
    assert.equal(page.text.match(/rel="stylesheet"/g)?.length, 1);
    assert.ok(page.text.includes('I write a note.\n\n  Indented.'));
    assert.ok(page.text.includes(`@${author.handle}`));
    assert.ok(page.text.includes(`<link rel="canonical" href="${base()}/p/${root.id}">`));
    assert.match(page.text, /<meta name="description" content="I write a note\. Indented\.">/);
    const shown = (text: string) =>
      [...text.matchAll(/<article [^>]*id="p(\d+)"/g)].map(([, id]) => Number(id));
    assert.deepEqual(shown(page.text), [root.id, ...ids.slice(0, 50)]);
    const next = `/forum/p/${root.id}?after=${ids[49]}`;
    assert.ok(page.text.includes(`<link rel="next" href="${forum.house.house.origin}${next}">`));
    assert.ok(page.text.includes(`href="${next}" rel="next"`));
    const rest = await open(next.slice('/forum'.length));
    assert.deepEqual(shown(rest.text), [root.id, ...ids.slice(50)]);
    assert.ok(!rest.text.includes('rel="next"'));
    assert.ok(
      rest.text.includes(`<link rel="canonical" href="${base()}/p/${root.id}?after=${ids[49]}">`),
    );
  });

  it('the front page lists public threads, newest first, 30 at a time [FORUM-245] [FORUM-246] [FORUM-282]', async () => {
    const writers = await Promise.all(Array.from({ length: 4 }, () => forum.member('writer')));
    const ids: number[] = [];
    for (const writer of writers) {
      for (let count = 0; count < 8; count += 1) {
        const { id } = await post(writer, { audience: 'public', title: `Thread ${ids.length}` });
        ids.unshift(id);
        await post(count === 0 ? writer : await forum.member('other'), { title: 'Not for people' });
      }
    }
    const front = await open('/');
    assertPageHeaders(front);
    assertHarmless(front.text);
    const links = (text: string) =>
      [...text.matchAll(/<h2><a [^>]*href="\/forum\/p\/(\d+)"/g)].map(([, id]) => Number(id));
    assert.deepEqual(links(front.text), ids.slice(0, 30));
    assert.ok(front.text.includes(`<link rel="canonical" href="${base()}/">`));
    assert.match(front.text, /href="\/forum\/llms\.txt"/);
    assert.match(front.text, /href="\/forum\/openapi\.json"/);
    assert.ok(!front.text.includes('Not for people'));
    const next = /href="(\/forum\/\?before=\d+)" rel="next"/.exec(front.text)?.[1] ?? assert.fail();
    assert.equal(next, `/forum/?before=${ids[29]}`);
    const older = await open(next.slice('/forum'.length));
    assert.deepEqual(links(older.text).slice(0, 2), ids.slice(30));
    assert.ok(older.text.includes(`<link rel="canonical" href="${base()}/?before=${ids[29]}">`));
    assert.match((await open('/?before=1')).text, /There are no older threads/);
    assert.equal((await open('')).headers.get('location'), '/forum/');
    for (const path of ['/?before=abc', '/?before=-1', `/p/${ids[0]}?after=x`]) {
      const wrong = await open(path);
      assert.equal(wrong.status, 400, path);
      assertPageHeaders(wrong);
    }
  });

  it('what is not public, or not there, is not found, and nothing tells which [FORUM-244] [FORUM-124]', async () => {
    const secret = 'Kept from people';
    const agents = await post(author, { title: secret });
    const hidden = await post(author, { audience: 'public', title: secret });
    const gone = await post(author, { audience: 'public', title: secret });
    const root = await post(author, { audience: 'public', title: 'Seen' });
    const answer = await reply(author, root, 'A reply has no page.');
    await moderate(moderator, hidden.id, 'hidden');
    await remove(author, gone.id);
    const texts = new Set<string>();
    for (const id of [
      agents.id,
      hidden.id,
      gone.id,
      answer.id,
      99_999_999,
      'abc',
      '0',
      '1e3',
      '%00',
    ]) {
      const page = await open(`/p/${id}`);
      assert.equal(page.status, 404, String(id));
      if (page.headers.get('content-type')?.startsWith('text/html')) {
        assertPageHeaders(page);
        assertHarmless(page.text);
        texts.add(page.text.replace(/req_[\w-]+/g, ''));
      }
      assert.ok(!page.text.includes(secret));
    }
    assert.equal(texts.size, 1);
  });

  it('a thread that is made private, hidden or removed leaves every page at once [FORUM-246] [FORUM-144] [FORUM-162]', async () => {
    const makePrivate = async (id: number) => {
      const { status } = await author.call('PATCH', `/posts/${id}`, {
        body: { audience: 'agents' },
      });
      assert.equal(status, 200);
    };
    const ways: readonly [string, (id: number) => Promise<unknown>][] = [
      ['private', makePrivate],
      ['hidden', (id) => moderate(moderator, id, 'hidden')],
      ['removed', (id) => remove(author, id)],
    ];
    for (const [way, leave] of ways) {
      const title = `Leaves as ${way}`;
      const { id } = await post(author, { audience: 'public', title });
      const everywhere = ['/', '/feed.xml', `/p/${id}`];
      for (const path of everywhere) assert.ok((await open(path)).text.includes(title), path);
      assert.ok((await open('/sitemap.xml')).text.includes(`/p/${id}<`));
      const etag = (await open('/')).headers.get('etag') ?? assert.fail();
      await leave(id);
      for (const path of everywhere) assert.ok(!(await open(path)).text.includes(title), path);
      assert.ok(!(await open('/sitemap.xml')).text.includes(`/p/${id}<`));
      const again = await forum.api.fetch('GET', '/', { headers: { 'if-none-match': etag } });
      assert.equal(again.status, 200);
    }
    const hidden_reply = await post(author, { audience: 'public' });
    const answer = await reply(author, hidden_reply, 'a reply that is hidden');
    await moderate(moderator, answer.id, 'hidden');
    const { text } = await open(`/p/${hidden_reply.id}`);
    assert.ok(!text.includes('a reply that is hidden') && text.includes('0 replies'));
  });

  it('a page that did not change is not sent twice [FORUM-250]', async () => {
    const { id } = await post(author, { audience: 'public' });
    const first = await open(`/p/${id}`);
    const etag = first.headers.get('etag') ?? assert.fail();
    const second = await forum.api.fetch('GET', `/p/${id}`, { headers: { 'if-none-match': etag } });
    assert.deepEqual([second.status, second.text], [304, '']);
    await author.call('PATCH', `/posts/${id}`, { body: { body: 'Another text.' } });
    const third = await forum.api.fetch('GET', `/p/${id}`, { headers: { 'if-none-match': etag } });
    assert.equal(third.status, 200);
    assert.match(third.text, /edited/);
    const head = await forum.api.fetch('HEAD', `/p/${id}`);
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  it('texts are text, whatever they hold [FORUM-249] [FORUM-011]', async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "'onmouseover='alert(1)",
      '& &amp; ]]> -->',
      'javascript:alert(1)',
      '\u202egnp.exe\u202c \u2066x\u2069 \u200f',
      '</title></textarea></style>',
      '{{7*7}}',
      '\ufffe\uffff',
    ];
    for (const text of hostile) {
      const writer = await forum.member('hostile', { display_name: text });
      const said = { audience: 'public', title: text, body: text };
      const root = await post(writer, said);
      await reply(writer, root, text);
      const page = await open(`/p/${root.id}`);
      assert.equal(page.status, 200);
      assertHarmless(page.text);
      const h1 = /<h1[^>]*>([^<]*)<\/h1>/.exec(page.text)?.[1] ?? assert.fail(text);
      assert.equal(unescaped(h1), text);
      const bodies = [...page.text.matchAll(/<p class="text"[^>]*>([^<]*)<\/p>/g)].map(([, body]) =>
        unescaped(body ?? ''),
      );
      assert.deepEqual(bodies, [text, text]);
      const names = [...page.text.matchAll(/<bdi class="author">([^<]*)<\/bdi>/g)].map(([, name]) =>
        unescaped(name ?? ''),
      );
      assert.deepEqual(names, [text, text]);
      assertHarmless((await open('/')).text);
      const feed = (await open('/feed.xml')).text;
      assert.doesNotMatch(feed, /<script|<img|[\ufffe\uffff]|]]>/);
    }
  });

  it('a post that a rule made says so [FORUM-251]', async () => {
    const root = await post(author, { audience: 'public', title: 'Answered by a rule' });
    const { id } = await reply(author, root);
    const { text: before_rule } = await open(`/p/${root.id}`);
    assert.ok(!before_rule.includes('posted by a rule'));
    await forum.house.house.deps.transact(({ db }) =>
      db.updateTable('forum_post').set({ origin: 'rule' }).where('id', '=', id).execute(),
    );
    const { text } = await open(`/p/${root.id}`);
    assert.equal(text.match(/posted by a rule/g)?.length, 1);
  });

  it('a feed and a sitemap name the public threads [FORUM-248] [FORUM-246]', async () => {
    const { id } = await post(author, {
      audience: 'public',
      kind: 'suggestion',
      title: 'In <the> feed',
      body: 'a & b',
    });
    assert.match((await open(`/p/${id}`)).text, /<span class="kind">suggestion</);
    await post(author, { title: 'Not in the feed' });
    const feed = await open('/feed.xml');
    assert.equal(feed.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    assert.ok(feed.text.includes(`<id>${base()}/p/${id}</id>`));
    assert.ok(feed.text.includes('<title>In &lt;the&gt; feed</title>'));
    assert.ok(feed.text.includes('<content type="text">a &amp; b</content>'));
    assert.ok(!feed.text.includes('Not in the feed'));
    const sitemap = await open('/sitemap.xml');
    assert.equal(sitemap.headers.get('content-type'), 'application/xml; charset=utf-8');
    assert.ok(sitemap.text.includes(`<loc>${base()}/p/${id}</loc><lastmod>2026-`));
    const robots = await open('/robots.txt');
    assert.deepEqual(
      robots.text.split('\n').filter((line) => line.startsWith('Disallow')),
      ['Disallow: /api/', 'Disallow: /owner'],
    );
    assert.ok(robots.text.includes(`Sitemap: ${base()}/sitemap.xml`));
    for (const path of ['/style.css', '/mark.svg']) {
      const file = await open(path);
      assert.equal(file.status, 200);
      assert.match(file.headers.get('cache-control') ?? '', /max-age/);
    }
  });

  it('an unknown path is a page for people, and the envelope under the API whoever asks [FORUM-017] [FORUM-020]', async () => {
    const headers = { accept: 'text/html,*/*' };
    const page = await forum.api.fetch('GET', '/nowhere', { headers });
    assert.equal(page.status, 404);
    assert.match(page.text, /<h1>Not found<\/h1>/);
    assertNo(await forum.api.call('GET', '/nowhere', { headers }), [404, 'not_found']);
    assertNo(await forum.api.call('GET', '/posts/999999', { headers }), [404, 'not_found']);
  });

  it('no page lists accounts, and none lets anybody sign in or up [FORUM-082] [FORUM-005]', async () => {
    for (const path of [
      '/accounts',
      '/members',
      '/users',
      '/login',
      '/signup',
      '/register',
      '/u/x',
    ]) {
      assert.equal((await open(path)).status, 404, path);
      const { status } = await forum.api.fetch('POST', path, { body: {} });
      assert.equal(status, 404, path);
    }
    const silent = await forum.member('silent');
    for (const path of ['/', '/feed.xml', '/sitemap.xml']) {
      const { text } = await open(path);
      assert.ok(!text.includes(silent.handle));
      assert.doesNotMatch(text, /password|sign in|sign up|log in/i);
    }
  });
});

test('pages and files count towards the ceiling of an address [FORUM-268]', async () => {
  await using house = await openForumHouse({ engine });
  const api = forumOf(house);
  const client = '198.51.100.7';
  const paths = ['/', '/style.css', '/p/1', '/feed.xml', '/api/v1/posts', '/nothing', '/owner'];
  for (let count = 0; count < 180; count += 1) {
    const { status } = await api.fetch('GET', paths[count % paths.length] ?? '/', { client });
    assert.notEqual(status, 429);
  }
  for (const path of ['/api/v1/posts', '/api/v1/me']) {
    assertTooMany(await api.call('GET', path.slice(7), { client }), 'network', 60);
  }
  assert.equal((await api.fetch('GET', '/', { client })).status, 429);
  assert.equal((await api.fetch('GET', '/', { client: '198.51.100.8' })).status, 200);
});

test('on its own host the forum has its pages at the root [FORUM-002] [FORUM-248]', async () => {
  const config = { hosts: { forum: ['forum.example'] } };
  await using house = await openForumHouse({ engine, config });
  const { port } = new URL(house.house.listening);
  const base = `http://forum.example:${port}`;
  const see = (path: string) =>
    requestWith(house, path, { headers: { host: `forum.example:${port}` } });
  const front = await see('/');
  assert.equal(front.status, 200);
  assert.ok(front.text.includes(`<link rel="canonical" href="${base}/">`));
  assert.match(front.text, /rel="stylesheet" href="\/style\.css\?v=/);
  assert.match(front.text, /href="\/llms\.txt"/);
  assert.equal((await see('/style.css')).status, 200);
  const robots = await see('/robots.txt');
  assert.ok(robots.text.includes(`Sitemap: ${base}/sitemap.xml`));
  assert.equal((await see('/owner')).status, 404);
});
