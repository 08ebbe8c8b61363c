import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import { assertBadField, assertNo, forumOf, openForumHouse } from '../../support/forum-api.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { requestWith } from '../../support/raw-http.ts';

const kb = 1_024;
const guest_quota = 256 * kb;
const text_bytes_max = 24_576;

/** Writes a note and answers what was said of it. */
async function put(member: Member, name: string, text: string, tags?: string[]) {
  const body = tags ? { text, tags } : { text };
  return member.call('PUT', `/notes/${name}`, { body });
}

const storageOf = async (member: Member) => (await member.call('GET', '/me')).body.storage;

forEachEngine((engine) => {
  describe('private notes', () => {
    let house: TestHouse;
    let members = 0;
    const join = (given?: Parameters<typeof joinForum>[2]) => {
      members += 1;
      return joinForum(house, `writer_${members}`, given);
    };
    before(async () => {
      house = await openForumHouse({ engine });
    });
    after(() => house.close());

    it('a note is made, replaced as a whole, read as it was sent and deleted; the storage follows [FORUM-180] [FORUM-190] [FORUM-109] [FORUM-111] [FORUM-018]', async () => {
      const member = await join();
      const made_at = Math.floor(house.clock.now() / 1_000);
      const text = ' <b>Kept & sound</b>\r\n\t“é” 🦀 ';
      const made = await put(member, 'journal/day-1', text, ['memory', 'Ü']);
      const bytes = Buffer.byteLength(`journal/day-1${text}memoryÜ`);
      const head = {
        name: 'journal/day-1',
        tags: ['memory', 'Ü'],
        bytes,
        created_at: made_at,
        updated_at: made_at,
      };
      assert.equal(made.status, 201);
      assert.deepEqual(made.body, head);
      const read = await member.call('GET', '/notes/journal/day-1');
      assert.deepEqual([read.status, read.body], [200, { ...head, text }]);
      assert.equal((await storageOf(member)).used.notes, bytes);

      house.clock.advance(5_000);
      const replaced = await put(member, 'journal/day-1', '');
      const later = { ...head, tags: [], bytes: 13, updated_at: made_at + 5 };
      assert.deepEqual([replaced.status, replaced.body], [200, later]);
      const again = await member.call('GET', '/notes/journal/day-1');
      assert.deepEqual(again.body, { ...later, text: '' });
      assert.deepEqual((await storageOf(member)).used, { posts: 0, notes: 13, sandbox: 0 });

      const gone = await member.call('DELETE', '/notes/journal/day-1');
      assert.deepEqual([gone.status, gone.body], [200, { deleted: true, name: 'journal/day-1' }]);
      assertNo(await member.call('GET', '/notes/journal/day-1'), [404, 'not_found']);
      assertNo(await member.call('DELETE', '/notes/journal/day-1'), [404, 'not_found']);
      assert.equal((await storageOf(member)).used_total, 0);
      const list = await member.call('GET', '/notes');
      assert.deepEqual(list.body, { items: [], next_after: null, total: 0 });
    });

    it('a text has up to 24,576 bytes, and a refused one leaves the note as it was [FORUM-183]', async () => {
      const member = await join();
      assert.equal((await put(member, 'long', 'x'.repeat(text_bytes_max))).status, 201);
      const wide = '€'.repeat(text_bytes_max / 3);
      assert.equal((await put(member, 'wide', wide)).status, 201);
      for (const text of [`${'x'.repeat(text_bytes_max)}x`, `${wide}x`]) {
        assertBadField(await put(member, 'wide', text), 'text');
      }
      assert.equal((await member.call('GET', '/notes/wide')).body.text, wide);
    });

    it('nobody sees another’s notes, staff and owner included, on any route [FORUM-185] [FORUM-184] [FORUM-195]', async () => {
      const mine = await join();
      const admin = await join({ role: 'administrator' });
      const theirs = await join();
      await put(mine, 'same/name', 'words of mine', ['mine']);
      await put(theirs, 'same/name', 'words of theirs');
      for (const other of [admin, theirs]) {
        const { body } = await other.call('GET', '/notes?q=words');
        assert.ok(!JSON.stringify(body).includes('mine'));
        assert.doesNotMatch((await other.call('GET', '/me/export')).text, /words of mine/);
      }
      assertNo(await admin.call('GET', '/notes/same/name'), [404, 'not_found']);
      assertNo(await admin.call('DELETE', '/notes/same/name'), [404, 'not_found']);
      assert.equal((await theirs.call('GET', '/notes/same/name')).body.text, 'words of theirs');
      assert.equal((await mine.call('GET', '/notes/same/name')).body.text, 'words of mine');
      const api = forumOf(house);
      for (const [method, path] of [
        ['GET', '/notes'],
        ['GET', '/notes/same/name'],
        ['GET', '/notes/a%20b'],
        ['PUT', '/notes/same/name'],
        ['DELETE', '/notes/same/name'],
      ] as const) {
        assertNo(await api.call(method, path), [401, 'unauthorized']);
      }
      const rows = await house.house.deps.read
        .selectFrom('forum_note')
        .select('name_digest')
        .where('account_id', 'in', [mine.id, theirs.id])
        .execute();
      assert.equal(rows.length, 2);
      assert.notDeepEqual(rows[0]?.name_digest, rows[1]?.name_digest);
    });

    it('following next_after visits each note once, by name; prefix and tag restrict together [FORUM-186] [FORUM-187] [FORUM-282]', async () => {
      const member = await join();
      const names = [
        'journal/b',
        'Journal/a',
        'journal/a',
        'journal',
        'journal.x',
        'z',
        '_',
        'journal/a/b',
      ];
      for (const [index, name] of names.entries()) {
        await put(member, name, `text ${index}`, index % 2 === 0 ? ['memory'] : ['memo', 'even']);
      }
      const sorted = names.toSorted();
      const walk = async (query: string) => {
        const seen: string[] = [];
        let after = '';
        for (;;) {
          const { body } = await member.call('GET', `/notes?limit=3${query}${after}`);
          assert.ok(body.items.length <= 3);
          seen.push(...body.items.map(({ name }: { name: string }) => name));
          if (body.next_after === null) return { seen, total: body.total };
          assert.equal(body.next_after, seen.at(-1));
          after = `&after=${encodeURIComponent(body.next_after)}`;
        }
      };
      assert.deepEqual(await walk(''), { seen: sorted, total: names.length });
      const in_folder = sorted.filter((name) => name.startsWith('journal/'));
      assert.deepEqual(await walk('&prefix=journal/'), { seen: in_folder, total: 3 });
      const tagged = sorted.filter((name) => names.indexOf(name) % 2 === 0);
      assert.deepEqual(await walk('&tag=memory'), { seen: tagged, total: tagged.length });
      assert.deepEqual(await walk('&tag=memory&prefix=journal/'), {
        seen: tagged.filter((name) => name.startsWith('journal/')),
        total: 2,
      });
      assert.deepEqual((await walk('&tag=mem')).seen, []);
      const exactly = await member.call('GET', `/notes?limit=${names.length}`);
      assert.equal(exactly.body.next_after, null);
      const beyond = await member.call('GET', '/notes?after=zz');
      assert.deepEqual(beyond.body, { items: [], next_after: null, total: names.length });
      const item = exactly.body.items.find(({ name }: { name: string }) => name === 'z');
      const { text, ...head } = (await member.call('GET', '/notes/z')).body;
      assert.deepEqual([item, text], [head, 'text 5']);
    });

    it('of two parallel writes of which only one fits, one passes; what does not grow passes above the quota [FORUM-113] [FORUM-112] [FORUM-110]', async () => {
      const member = await join({ quota_bytes: 100 });
      const half = 'x'.repeat(59);
      const both = await Promise.all([put(member, 'a', half), put(member, 'b', half)]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 507]);
      const [kept, other] = both[0]?.status === 201 ? ['a', 'b'] : ['b', 'a'];
      const storage = await storageOf(member);
      assert.deepEqual(storage, {
        quota: 100,
        used: { posts: 0, notes: 60, sandbox: 0 },
        used_total: 60,
        remaining: 40,
      });
      assertNo(await put(member, other, 'x'.repeat(40)), [507, 'storage_full'], {
        storage,
        needed: 41,
      });
      assertNo(await member.call('GET', `/notes/${other}`), [404, 'not_found']);
      assert.equal((await put(member, other, 'x'.repeat(39))).status, 201);
      assertNo(await put(member, kept, `${half}x`), [507, 'storage_full'], {
        storage: await storageOf(member),
        needed: 1,
      });
      assert.equal((await member.call('GET', `/notes/${kept}`)).body.text, half);
      assert.equal((await put(member, kept, half.toUpperCase())).status, 200);
      assert.equal((await member.call('DELETE', `/notes/${kept}`)).status, 200);
      assert.equal((await put(member, 'c', half)).status, 201);
    });
  });
});

if (engines.includes('sqlite')) {
  describe('the form of notes', () => {
    let house: TestHouse;
    let member: Member;
    before(async () => {
      house = await openForumHouse({ engine: 'sqlite' });
      member = await joinForum(house, 'former');
    });
    after(() => house.close());

    it('names have 1 to 120 of their characters, and no others [FORUM-181]', async () => {
      for (const name of ['a', 'x'.repeat(120), 'A-z_0.9', '-/_/.x']) {
        assert.equal((await put(member, name, 't')).status, 201, name);
      }
      for (const name of [
        'x'.repeat(121),
        'a%20b',
        '%C3%A9',
        'a:b',
        'a%5Cb',
        'a%00',
        'a%0A',
        '%F0%9F%A6%80',
      ]) {
        assertBadField(await put(member, name, 't'), 'name');
        assertBadField(await member.call('GET', `/notes/${name}`), 'name');
        assertBadField(await member.call('DELETE', `/notes/${name}`), 'name');
        house.clock.advance(60_000);
      }
    });

    it('an encoded slash is a slash, and no segment is empty or dots [FORUM-182]', async () => {
      assert.equal((await put(member, 'a%2Fb%2fc', 'one')).status, 201);
      assert.equal((await member.call('GET', '/notes/a/b/c')).body.text, 'one');
      assert.equal((await put(member, 'a/b/c', 'two')).status, 200);
      assert.equal((await member.call('GET', '/notes/a%2Fb/c')).body.name, 'a/b/c');
      const raw = async (path: string) => {
        const { status, body } = await requestWith(house, `/forum/api/v1/notes/${path}`, {
          headers: { authorization: `Bearer ${member.token}`, 'x-forwarded-for': '10.9.9.9' },
        });
        const { error } = body as { error: { code: string; field?: string } };
        return [status, error.code, error.field];
      };
      for (const path of [
        '/a',
        'a//b',
        'a/',
        '',
        '.',
        '..',
        'a/./b',
        'a/../b',
        '%2e%2e',
        'a/%2E',
        '%2Fa',
      ]) {
        assert.deepEqual(await raw(path), [400, 'bad_request', 'name'], path);
      }
    });

    it('texts and tags are what they are said to be [FORUM-183] [FORUM-010] [FORUM-013] [FORUM-014] [FORUM-015] [FORUM-016]', async () => {
      const send = (body: unknown) => member.call('PUT', '/notes/form', { body });
      const tags = Array.from({ length: 16 }, (_, index) => `tag ${index}`);
      for (const body of [
        { text: '', tags },
        { text: ' ' },
        { text: '\t\r\n', tags: null },
        { text: 'x', tags: ['🦀'.repeat(40)], unknown: 1 },
      ]) {
        assert.ok((await send(body)).status < 300, JSON.stringify(body));
      }
      house.clock.advance(60_000);
      for (const text of [undefined, null, 1, ['x'], 'a\u0000b', '\u007f', '\u0085']) {
        assertBadField(await send({ text }), 'text');
      }
      for (const wrong of [
        'memory',
        [1],
        [...tags, 'one more'],
        [''],
        [' '],
        ['x'.repeat(41)],
        ['a\nb'],
        {},
      ]) {
        assertBadField(await send({ text: 'x', tags: wrong }), 'tags');
      }
      house.clock.advance(60_000);
      for (const body of [
        '[]',
        '"x"',
        '{"text":"\\ud800"}',
        '{"text":"x","tags":["\\ud800"]}',
        '{"x":"\\udc00"}',
        '{',
      ]) {
        assertNo(await member.call('PUT', '/notes/form', { body }), [400, 'bad_request']);
      }
      assert.equal((await member.call('GET', '/notes/form')).body.text, 'x');
    });

    it('lists take limits of 1 to 200 and cursors that are names [FORUM-186] [FORUM-282]', async () => {
      for (const query of [
        'limit=1',
        'limit=200',
        'prefix=',
        'unknown=1',
        'after=nobody',
        'tag=🦀',
      ]) {
        assert.equal((await member.call('GET', `/notes?${query}`)).status, 200, query);
      }
      for (const query of [
        'limit=0',
        'limit=201',
        'limit=x',
        'limit=1.5',
        'limit=-1',
        'limit=',
        'after=',
        'after=a%20b',
        `after=${'x'.repeat(121)}`,
        'prefix=a%20b',
        'tag=',
        `tag=${'x'.repeat(41)}`,
        'q=',
        `q=${'x'.repeat(201)}`,
        'q=%20',
        'q=%22%20-%20*',
        'q=a&q=b',
      ]) {
        const field = query.split('=')[0] ?? '';
        assertBadField(await member.call('GET', `/notes?${query}`), field);
      }
    });

    it('a guest keeps 200 notes and may replace one of them [FORUM-191]', async () => {
      const guest = await joinForum(house, 'guest_writer', { tier: 'guest' });
      const putMany = async (from: number, to: number) => {
        for (let index = from; index < to; index += 1) {
          if (index % 25 === 0) house.clock.advance(60_000);
          assert.equal((await put(guest, `n/${index}`, 'x')).status, 201, String(index));
        }
      };
      await putMany(0, 200);
      assertNo(await put(guest, 'n/200', 'x'), [507, 'note_limit'], { limit: 200 });
      assertNo(await guest.call('GET', '/notes/n/200'), [404, 'not_found']);
      assert.equal((await put(guest, 'n/7', 'anew')).status, 200);
      assert.equal((await guest.call('DELETE', '/notes/n/8')).status, 200);
      assert.equal((await put(guest, 'n/200', 'x')).status, 201);
      assertNo(await put(guest, 'n/201', 'x'), [507, 'note_limit'], { limit: 200 });
      const page = await guest.call('GET', '/notes');
      assert.deepEqual([page.body.items.length, page.body.total], [100, 200]);
    });

    it('a full account keeps 5,000 notes and may replace one of them [FORUM-192]', async () => {
      const full = await joinForum(house, 'full_writer', { note_count: 4_999 });
      assert.equal((await put(full, 'the-5000th', 'x')).status, 201);
      assertNo(await put(full, 'the-5001st', 'x'), [507, 'note_limit'], { limit: 5_000 });
      assert.equal((await put(full, 'the-5000th', 'y')).status, 200);
      assert.equal((await full.call('DELETE', '/notes/the-5000th')).status, 200);
      assert.equal((await put(full, 'another', 'x')).status, 201);
    });

    it('a guest’s notes count to 262,144 bytes and not one more [FORUM-110] [FORUM-108] [FORUM-109]', async () => {
      const guest = await joinForum(house, 'heavy_guest', { tier: 'guest' });
      const part = 'x'.repeat(text_bytes_max - 2);
      for (let index = 0; index < 10; index += 1) {
        assert.equal((await put(guest, `n${index}`, part)).status, 201);
      }
      const rest = guest_quota - 10 * text_bytes_max;
      assertNo(await put(guest, 'rest', 'x'.repeat(rest - 3)), [507, 'storage_full'], {
        storage: await storageOf(guest),
        needed: rest + 1,
      });
      const fits = await put(guest, 'rest', 'x'.repeat(rest - 6), ['t1']);
      assert.deepEqual([fits.status, fits.body.bytes], [201, rest]);
      assert.equal((await storageOf(guest)).remaining, 0);
    });

    it('writes count toward the 30 a minute, reads do not [FORUM-270]', async () => {
      const writer = await joinForum(house, 'busy_writer');
      for (let index = 0; index < 30; index += 1) {
        const { status } = await writer.call('DELETE', '/notes/none');
        assert.equal(status, 404);
      }
      assertNo(await put(writer, 'one', 'x'), [429, 'rate_limited'], {
        limit: 'writes',
        retry_after: 60,
      });
      assert.equal((await writer.call('GET', '/notes')).body.total, 0);
      house.clock.advance(60_000);
      assert.equal((await put(writer, 'one', 'x')).status, 201);
    });
  });
}
