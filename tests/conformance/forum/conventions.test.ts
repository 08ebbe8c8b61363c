import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  type ForumApi,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../support/forum-api.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';

describe('what is sent to the forum', () => {
  let house: TestHouse;
  let api: ForumApi;
  let members = 0;
  before(async () => {
    house = await openForumHouse({ engine: 'sqlite' });
    api = forumOf(house);
  });
  after(() => house.close());

  const join = () => {
    members += 1;
    return joinForum(house, `sender_${members}`);
  };
  const post = (member: Member, more: Readonly<Record<string, unknown>> = {}) =>
    member.call('POST', '/posts', { body: { title: 'A title', body: 'A body.', ...more } });
  const countOf = async (member: Member) => {
    const { body } = await member.call('GET', '/me/export');
    return body.posts.length;
  };

  test('is a JSON object in UTF-8, at every route that takes a body [FORUM-009]', async () => {
    const member = await join();
    const bodies = [
      '[]',
      '"text"',
      '7',
      'null',
      'true',
      '{',
      '{"a":1}}',
      "{'a':1}",
      '\ufeff{}',
      'a=b',
      new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
      `{"a":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`,
      '{"a":1e999}',
    ];
    const routes = [
      ['POST', '/challenges'],
      ['POST', '/accounts'],
      ['POST', '/posts'],
      ['PATCH', '/me'],
      ['PUT', '/notes/a'],
      ['DELETE', '/me'],
      ['POST', '/me/token'],
    ] as const;
    for (const [method, path] of routes) {
      for (const body of bodies) {
        assertNo(await member.call(method, path, { body }), [400, 'bad_request']);
      }
      // A body that is none is said before a token is asked for (D-FORUM-02).
      assertNo(await api.call(method, path, { body: '[]' }), [400, 'bad_request']);
      house.clock.advance(60_000);
    }
    assert.equal((await member.call('GET', '/me')).status, 200);
    assert.equal(await countOf(member), 0);
  });

  test('is read whatever its content type says [FORUM-009]', async () => {
    const member = await join();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      const made = await member.call('POST', '/posts', {
        body: '{"title":"A","body":"B"}',
        headers: { 'content-type': type },
      });
      assert.equal(made.status, 201, type);
    }
  });

  test('holds no lone surrogate, in whatever field [FORUM-010]', async () => {
    const member = await join();
    const lone = '"a\\ud800b"';
    const bodies = [
      ['POST', '/posts', `{"title":${lone},"body":"b"}`],
      ['POST', '/posts', `{"title":"a","body":${lone}}`],
      ['POST', '/posts', `{"title":"a","body":"b","unknown":${lone}}`],
      ['POST', '/posts', `{"title":"a","body":"b","unknown":{"deep":[${lone}]}}`],
      ['POST', '/posts', `{"title":"a","body":"b",${lone}:1}`],
      ['PATCH', '/me', `{"display_name":${lone}}`],
      ['PATCH', '/me', `{"bio":${lone}}`],
      ['PATCH', '/me', `{"harness":${lone}}`],
      ['PUT', '/notes/a', `{"text":${lone}}`],
      ['PUT', '/notes/a', `{"text":"a","tags":[${lone}]}`],
      ['POST', '/reports', `{"post_id":1,"reason":"ten characters"${lone}}`],
      ['POST', '/challenges', `{"handle":${lone}}`],
    ] as const;
    for (const [method, path, body] of bodies) {
      assertNo(await member.call(method, path, { body }), [400, 'bad_request']);
    }
    assert.equal(await countOf(member), 0);
    assertNo(await member.call('GET', '/notes/a'), [404, 'not_found']);
    // A pair of surrogates is one character.
    const pair = await member.call('POST', '/posts', {
      body: '{"title":"\\ud83e\\udd16","body":"b"}',
    });
    assert.equal(pair.status, 201);
  });

  test('is text: markup and what looks like code come back as they were sent [FORUM-011]', async () => {
    const member = await join();
    const title = '<script>alert("1")</script> & &amp; ]]>';
    const body = `<b>bold</b> javascript:alert(1) ' " \\ \u202e \u200f \t\r\n ${'`'}{{x}}$\{y} %00 \u0301`;
    const { body: made } = await post(member, { title, body });
    const { post: read } = (await member.call('GET', `/posts/${made.id}`)).body;
    assert.deepEqual([read.title, read.body], [title, body]);
  });

  test('is counted in code points [FORUM-012]', async () => {
    const member = await join();
    const made = await post(member, { title: '🤖'.repeat(180) });
    assert.equal(made.status, 201);
    assertBadField(await post(member, { title: '🤖'.repeat(181) }), 'title');
    assert.equal((await post(member, { body: '🤖'.repeat(8_000) })).status, 201);
  });

  test('is more than white space where it is required [FORUM-013]', async () => {
    const member = await join();
    for (const blank of [' ', '\u00a0\u2003', '   ']) {
      assertBadField(await post(member, { title: blank }), 'title');
      assertBadField(
        await member.call('PATCH', '/me', { body: { display_name: blank } }),
        'display_name',
      );
    }
    for (const blank of [' ', '\n\t\r\n'])
      assertBadField(await post(member, { body: blank }), 'body');
    assert.equal(await countOf(member), 0);
  });

  test('has no control characters but tab and line ends, and none in one line [FORUM-014]', async () => {
    const member = await join();
    for (const character of ['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f']) {
      assertBadField(await post(member, { body: `a${character}b` }), 'body');
      assertBadField(await post(member, { title: `a${character}b` }), 'title');
    }
    for (const character of ['\t', '\n', '\r']) {
      assertBadField(await post(member, { title: `a${character}b` }), 'title');
      const named = { body: { display_name: `a${character}b` } };
      assertBadField(await member.call('PATCH', '/me', named), 'display_name');
    }
    assert.equal((await post(member, { body: 'a\tb\r\nc' })).status, 201);
    assert.equal(await countOf(member), 1);
  });

  test('is of the type that is asked for; nothing is made of anything else [FORUM-015]', async () => {
    const member = await join();
    const { body: root } = await post(member);
    const id = String(root.id);
    assertBadField(await post(member, { parent_id: id, audience: 'agents' }), 'parent_id');
    assertBadField(await post(member, { title: 12 }), 'title');
    assertBadField(await post(member, { body: ['b'] }), 'body');
    const wrong: [string, string, unknown, string][] = [
      ['PATCH', '/me', { provenance_public: 'true' }, 'provenance_public'],
      ['PATCH', '/me', { provenance_public: 1 }, 'provenance_public'],
      ['PATCH', '/me', { bio: 7 }, 'bio'],
      ['POST', '/me/digest/seen', { cursor: '1' }, 'cursor'],
      ['POST', '/reports', { post_id: id, reason: 'ten characters' }, 'post_id'],
      ['POST', '/policy/accept', { accept_policy: 'true' }, 'accept_policy'],
    ];
    for (const [method, path, body, field] of wrong) {
      assertBadField(await member.call(method, path, { body }), field);
    }
    assert.equal(await countOf(member), 1);
  });

  test('may hold what the forum does not know, which is ignored [FORUM-016]', async () => {
    const member = await join();
    const { body: made } = await post(member, {
      status: 'hidden',
      author_id: 1,
      extra: { a: [1] },
    });
    const { post: read } = (await member.call('GET', `/posts/${made.id}`)).body;
    assert.deepEqual([read.status, read.author_id], ['active', member.id]);
    assert.ok(!('extra' in read));
  });

  test('is refused in one shape, with status, code, and what to do [FORUM-017]', async () => {
    const member = await join();
    const { body: root } = await post(member);
    const refused: [string, string, unknown, number, string][] = [
      ['POST', '/posts', { title: 'a' }, 400, 'bad_request'],
      ['GET', '/posts?limit=0', undefined, 400, 'bad_request'],
      ['POST', '/posts', { parent_id: root.id, body: 'b' }, 400, 'audience_mismatch'],
      ['GET', '/moderation/reports', undefined, 403, 'forbidden'],
      ['GET', '/posts/999999', undefined, 404, 'not_found'],
      ['POST', '/me/upgrade/challenge', {}, 409, 'already_full'],
      ['POST', '/rules', {}, 503, 'unavailable'],
      ['POST', '/agent/jobs', {}, 503, 'agent_unavailable'],
      ['POST', '/sandbox/runs', {}, 503, 'sandbox_unavailable'],
    ];
    for (const [method, path, body, status, code] of refused) {
      // The helper holds every refusal to its envelope.
      const { body: said } = await member.call(method, path, { body });
      assert.equal(said.error.code, code);
      assert.equal(Object.keys(said).length, 1);
      assert.ok(status >= 400);
    }
    assertNo(await api.call('GET', '/me'), [401, 'unauthorized']);
  });

  test('is deleted with an answer of JSON [FORUM-018]', async () => {
    const member = await join();
    const { body: root } = await post(member);
    await member.call('PUT', '/notes/a', { body: { text: 'a' } });
    const deleted = [
      ['/notes/a', undefined, { deleted: true, name: 'a' }],
      [`/posts/${root.id}`, undefined, { deleted: true, id: root.id, replies_removed: 0 }],
      ['/me/recovery', undefined, { recovery_set: false }],
      ['/me', { confirm: 'delete my account' }, { deleted: true, id: member.id }],
    ] as const;
    for (const [path, body, said] of deleted) {
      const answer = await member.call('DELETE', path, { body });
      assert.deepEqual([answer.status, answer.body], [200, said]);
    }
  });

  test('gets numbers that rise and are given once, and times in whole seconds [FORUM-019]', async () => {
    const member = await join();
    const now = Math.floor(house.clock.now() / 1_000);
    let last = 0;
    for (let round = 0; round < 3; round += 1) {
      const { body } = await post(member);
      assert.ok(Number.isSafeInteger(body.id) && body.id > last);
      assert.equal(body.created_at, now);
      last = body.id;
      await member.call('DELETE', `/posts/${last}`);
    }
    const next = await join();
    assert.equal(next.id, member.id + 1);
    assert.equal((await next.call('GET', '/me')).body.created_at, now);
  });

  test('to a path that is none is answered so, in the room’s own words [FORUM-020]', async () => {
    const { token } = await join();
    const paths = [
      '/api/v1',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v2/me',
      '/api/v1/me/',
      '/nothing',
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await api.fetch(method, path, { token });
        assert.deepEqual([status, body.error.code], [404, 'not_found'], `${method} ${path}`);
      }
    }
    for (const [method, path] of [
      ['PUT', '/me'],
      ['PATCH', '/posts'],
      ['DELETE', '/challenges'],
    ] as const) {
      assertNo(await api.call(method, path, { token }), [404, 'not_found']);
    }
  });

  test('is at most 32768 bytes, whether or not its length is said [FORUM-266]', async () => {
    const member = await join();
    const padded = (bytes: number) => {
      const bare = JSON.stringify({ title: 'Large', body: 'b', padding: '' });
      return bare.replace('"padding":""', `"padding":"${'x'.repeat(bytes - bare.length)}"`);
    };
    assert.equal(Buffer.byteLength(padded(32_768)), 32_768);
    assert.equal((await member.call('POST', '/posts', { body: padded(32_768) })).status, 201);
    const over = await member.call('POST', '/posts', { body: padded(32_769) });
    assertNo(over, [413, 'body_too_large'], { limit: 32_768 });
    const chunked = (bytes: number) =>
      requestWith(house, '/forum/api/v1/posts', {
        method: 'POST',
        headers: { authorization: `Bearer ${member.token}`, 'x-forwarded-for': freshAddress() },
        body: padded(bytes),
      });
    assert.equal((await chunked(32_768)).status, 201);
    const { status, body } = await chunked(32_769);
    assert.equal(status, 413);
    assert.equal((body as { error: { code: string } }).error.code, 'body_too_large');
    assert.equal(await countOf(member), 2);
  });

  test('has at most 16384 bytes of headers [FORUM-267]', async () => {
    const { token } = await join();
    const get = (length: number) =>
      requestWith(house, '/forum/api/v1/me', {
        headers: {
          authorization: `Bearer ${token}`,
          'x-forwarded-for': freshAddress(),
          'x-padding': 'x'.repeat(length),
        },
      });
    assert.equal((await get(15_000)).status, 200);
    assert.equal((await get(17_000)).status, 431);
  });

  test('is asked for in pages whose bounds are kept [FORUM-282]', async () => {
    const member = await join();
    for (let made = 0; made < 9; made += 1) await post(member);
    const lists = [
      ['/posts', 50],
      ['/search?q=title', 30],
      ['/notes', 200],
    ] as const;
    for (const [path, max] of lists) {
      const at = (limit: number) =>
        member.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`);
      const { status, body } = await at(max);
      assert.equal(status, 200);
      assert.ok(body.items.length <= max);
      assertBadField(await at(max + 1), 'limit');
      assertBadField(await at(0), 'limit');
    }
    const { body } = await member.call('GET', '/posts?limit=5');
    assert.equal(body.items.length, 5);
    assert.equal(body.next_before, body.items.at(-1).id);
  });
});
