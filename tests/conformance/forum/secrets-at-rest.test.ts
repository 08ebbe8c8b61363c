import assert from 'node:assert/strict';
import { argon2Sync, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { forum_commands, forum_routes, type Route } from '@stoa/wire';
import { sql } from 'kysely';
import { pino } from 'pino';
import { forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import { assertNo, forumOf, openForumHouse } from '../../support/forum-api.ts';
import type { TestHouse } from '../../support/open-house.ts';

const secret_words = {
  text: 'A text that nobody else reads: zanzibar-quokka',
  name: 'hidden/zeppelin-ledger',
  tag: 'kumquat-tag',
  passphrase: 'velociraptor passphrase',
  new_passphrase: 'xylophone passphrase',
};

/** A secret in the ways in which it might lie somewhere. */
function spellings(secret: string | Buffer): Buffer[] {
  const octets = Buffer.from(secret as string);
  const texts = [octets.toString('hex'), octets.toString('base64').replace(/=+$/, '')];
  const written = texts.map((text) => Buffer.from(text));
  const wide = typeof secret === 'string' ? [Buffer.from(secret, 'utf16le')] : [];
  return [octets, ...written, ...wide];
}

/** All octets of all files in a folder. */
function octetsOf(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const paths = files.map((file) => join(folder, file)).filter((path) => statSync(path).isFile());
  return Buffer.concat(paths.map((path) => readFileSync(path)));
}

/** All that a PostgreSQL database says to whoever may read it all. */
async function rowsOf({ house }: TestHouse): Promise<Buffer> {
  const { read } = house.deps;
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    read,
  );
  assert.ok(tables.some(({ name }) => name === 'forum_note'));
  const said: Buffer[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      read,
    );
    for (const value of rows.flatMap((row) => Object.values(row))) {
      said.push(Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? ''));
    }
  }
  return Buffer.concat(said);
}

const hkdf = (secret: Uint8Array, label: string, salt: Uint8Array = Buffer.alloc(0)) =>
  Buffer.from(hkdfSync('sha256', secret, salt, label, 32));

/** Opens a box with nothing of the house's but what the documents of the room say. */
function openBox(box: Buffer, key: Buffer, bound_to: string): string {
  const opening = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12));
  opening.setAAD(Buffer.from(bound_to)).setAuthTag(box.subarray(-16));
  return Buffer.concat([opening.update(box.subarray(12, -16)), opening.final()]).toString('latin1');
}

forEachEngine((engine) => {
  describe('secrets at rest', () => {
    it('no note, name, tag, token or passphrase is readable in the data, the journal, a backup or the logs [FORUM-194] [FORUM-075] [FORUM-207] [FORUM-231] [FORUM-076]', async () => {
      const logs: string[] = [];
      const logger = pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) });
      await using house = await openForumHouse({ engine, logger });
      const api = forumOf(house);
      const member = await joinForum(house, 'secretive');
      const { text, name, tag, passphrase, new_passphrase } = secret_words;
      const body = { text, tags: [tag] };
      const note = { token: member.token, body };
      assert.equal((await api.call('PUT', `/notes/${name}`, note)).status, 201);
      const set = (said: string) =>
        member.call('PUT', '/me/recovery', { body: { passphrase: said } });
      assert.equal((await set(passphrase)).status, 200);
      assert.equal((await set(new_passphrase)).status, 200);
      // Long enough for the answer to be kept, sealed.
      const key = 'k'.repeat(32);
      const rotated = await member.call('POST', '/me/token', { key });
      const given = { handle: member.handle, passphrase: new_passphrase };
      const recovered = await api.call('POST', '/accounts/recover', { key, body: given });
      const wrong = { handle: member.handle, passphrase: `${passphrase} no more` };
      assertNo(await api.call('POST', '/accounts/recover', { body: wrong }), [
        401,
        'recovery_failed',
      ]);
      const { token } = recovered.body;
      const found = await api.call('GET', '/notes?q=zanzibar-quokka&tag=kumquat-tag', { token });
      assert.deepEqual([found.body.total, found.body.items[0].name], [1, name]);
      assert.equal((await api.call('GET', '/me/export', { token })).body.notes.length, 1);

      const places: Record<string, Buffer> = { logs: Buffer.from(logs.join('')) };
      if (engine === 'sqlite') {
        await house.command('house', 'backup', { file: join(house.data, 'copy.db') });
        places.files = octetsOf(house.data);
        // It would be seen, were it there.
        assert.ok(places.files.includes(member.handle));
        assert.ok(places.files.length > 100_000);
      } else {
        places.rows = await rowsOf(house);
        assert.ok(places.rows.includes(member.handle));
      }
      assert.ok(places.logs?.includes('/forum/api/v1/me/token'), 'requests are logged');
      const tokens = [member.token, rotated.body.token, token];
      const secrets = [
        ...Object.values(secret_words),
        'zanzibar',
        'zeppelin',
        ...tokens,
        ...tokens.map((each) => Buffer.from(each.slice(3), 'base64url')),
      ];
      for (const [place, octets] of Object.entries(places)) {
        for (const secret of secrets) {
          for (const spelling of spellings(secret)) {
            assert.ok(!octets.includes(spelling), `${place} hold ${secret}`);
          }
        }
      }
      const by_digest = await house.house.deps.read
        .selectFrom('forum_account')
        .select('token_digest')
        .where('id', '=', member.id)
        .executeTakeFirstOrThrow();
      assert.equal(by_digest.token_digest.length, 32);
    });

    it('with the whole database the token alone, or the passphrase alone, opens every note, and nothing else does [FORUM-196] [FORUM-207] [FORUM-195]', async () => {
      await using house = await openForumHouse({ engine });
      const member = await joinForum(house, 'keyholder');
      const other = await joinForum(house, 'other_one');
      const { passphrase, name } = secret_words;
      await member.call('PUT', '/me/recovery', { body: { passphrase } });
      for (const [holder, text] of [
        [member, 'mine'],
        [other, 'theirs'],
      ] as const) {
        await holder.call('PUT', `/notes/${name}`, { body: { text, tags: ['t'] } });
      }
      const db = house.house.deps.read;
      const account = await db
        .selectFrom('forum_account')
        .selectAll()
        .where('id', '=', member.id)
        .executeTakeFirstOrThrow();
      const { token_salt, token_wrap, passphrase_salt, passphrase_wrap } = account;
      const owner = String(member.id);
      const token_key = hkdf(
        Buffer.from(member.token.slice(3), 'base64url'),
        'stoa-forum-token-wrap-v1',
        token_salt,
      );
      const by_token = openBox(token_wrap, token_key, owner);
      const derived = argon2Sync('argon2id', {
        message: passphrase,
        nonce: passphrase_salt,
        memory: 65_536,
        passes: 3,
        parallelism: 1,
        tagLength: 32,
      });
      const passphrase_wrapping = hkdf(derived, 'stoa-forum-passphrase-wrap-v1');
      const by_passphrase = openBox(passphrase_wrap, passphrase_wrapping, owner);
      assert.equal(by_passphrase, by_token);

      const data_key = Buffer.from(by_token, 'latin1');
      const name_digest = createHmac('sha256', hkdf(data_key, 'stoa-forum-note-name-v1'))
        .update(name)
        .digest();
      const rows = await db.selectFrom('forum_note').selectAll().orderBy('account_id').execute();
      const [mine, theirs] = rows;
      assert.ok(mine && theirs);
      assert.deepEqual(mine.name_digest, name_digest);
      assert.notDeepEqual(theirs.name_digest, name_digest);
      const seal_key = hkdf(data_key, 'stoa-forum-note-seal-v1');
      const place = (id: number, part: string) => `${id} ${name_digest.toString('hex')} ${part}`;
      assert.equal(openBox(mine.text_box, seal_key, place(member.id, 'text')), 'mine');
      assert.equal(
        JSON.parse(openBox(mine.head_box, seal_key, place(member.id, 'head'))).name,
        name,
      );

      const { house_key } = house.house.deps;
      const wrong_keys = [
        house_key,
        account.token_digest,
        token_salt,
        passphrase_salt,
        account.handle_digest,
      ];
      for (const wrong of wrong_keys.map((key) => Buffer.concat([key, key]).subarray(0, 32))) {
        for (const box of [token_wrap, passphrase_wrap]) {
          assert.throws(() => openBox(box, wrong, owner));
          assert.throws(() =>
            openBox(box, hkdf(wrong, 'stoa-forum-token-wrap-v1', token_salt), owner),
          );
        }
        assert.throws(() => openBox(mine.text_box, wrong, place(member.id, 'text')));
      }
      assert.throws(() => openBox(theirs.text_box, seal_key, place(other.id, 'text')));
    });

    it('a box that was moved to another note or account does not open there [FORUM-197] [FORUM-021]', async () => {
      await using house = await openForumHouse({ engine });
      const [mine, theirs] = [await joinForum(house, 'mover'), await joinForum(house, 'moved')];
      const put = (holder: Member, name: string, text: string) =>
        holder.call('PUT', `/notes/${name}`, { body: { text } });
      await put(mine, 'a', 'text of a');
      await put(mine, 'b', 'text of b');
      await put(theirs, 'a', 'text of theirs');
      const { transact } = house.house.deps;
      const boxes = ({ id }: Member) =>
        house.house.deps.read
          .selectFrom('forum_note')
          .selectAll()
          .where('account_id', '=', id)
          .execute();
      const [one, two] = await boxes(mine);
      const [foreign] = await boxes(theirs);
      assert.ok(one && two && foreign);
      const setBoxes = (set: { text_box?: Buffer; head_box?: Buffer }) =>
        transact(({ db }) =>
          db
            .updateTable('forum_note')
            .set(set)
            .where('account_id', '=', mine.id)
            .where('name_digest', '=', one.name_digest)
            .execute(),
        );
      const texts = async () => {
        const answers = [await mine.call('GET', '/notes/a'), await mine.call('GET', '/notes/b')];
        return answers.map((answer) => {
          if (answer.status !== 500) return answer.body.text;
          assertNo(answer, [500, 'internal']);
          return undefined;
        });
      };
      assert.deepEqual(await texts(), ['text of a', 'text of b']);
      for (const wrong of [
        { text_box: two.text_box },
        { text_box: foreign.text_box },
        { text_box: one.head_box },
        { head_box: two.head_box },
        { head_box: foreign.head_box },
      ]) {
        await setBoxes(wrong);
        assert.deepEqual((await texts()).filter((text) => text === undefined).length, 1);
        await setBoxes({ text_box: one.text_box, head_box: one.head_box });
      }
      assert.deepEqual(await texts(), ['text of a', 'text of b']);
    });
  });
});

describe('who gets at what is another’s', () => {
  const routes: readonly Route[] = Object.values(forum_routes).flat();

  it('three routes give a token: to a newcomer, to who has the old one, and to who knows the passphrase [FORUM-206] [FORUM-074]', () => {
    const giving = routes.filter(({ answers }) => /"token":/.test(JSON.stringify(answers)));
    assert.deepEqual(giving.map(({ method, path }) => `${method} ${path}`).toSorted(), [
      'POST /api/v1/accounts',
      'POST /api/v1/accounts/recover',
      'POST /api/v1/me/token',
    ]);
    // Routes of notes are about the caller's own: none names an account.
    const notes = routes.filter(({ path }) => path?.includes('/notes'));
    assert.equal(notes.length, 4);
    for (const { path } of notes) assert.match(path, /^\/api\/v1\/notes(\/\*)?$/);
    const commands = Object.values(forum_commands).map(({ verb }) => verb);
    assert.deepEqual(
      commands.filter((verb) => /token|note|recover|passphrase/.test(verb)),
      ['owner-token'],
    );
  });

  it('no answer tells the owner or staff another’s notes or token; the owner’s new token opens the owner’s account alone [FORUM-206] [FORUM-185]', async () => {
    await using house = await openForumHouse({ engine: 'sqlite' });
    const api = forumOf(house);
    const member = await joinForum(house, 'private_one');
    const admin = await joinForum(house, 'an_admin', { role: 'administrator' });
    const name = 'zeppelin';
    const body = { text: 'kumquat', tags: ['quokka'] };
    assert.equal((await member.call('PUT', `/notes/${name}`, { body })).status, 201);
    const issued = await house.command('forum', 'owner-token', {
      confirm: 'erase-my-notes',
    });
    const token = /ft_[A-Za-z0-9_-]{43}/.exec(issued)?.[0];
    assert.equal((await api.call('GET', '/me', { token: token ?? '' })).body.handle, 'owner');
    const said = { id: String(member.id), handle: member.handle, '*': name };
    const reads = routes.filter(({ method }) => method === 'GET');
    assert.ok(reads.length > 10);
    for (const { path } of reads) {
      const filled = path
        .replace(/:(id|handle)/, (_, part: 'id' | 'handle') => said[part])
        .replace('*', name);
      for (const staff of [admin.token, token ?? '']) {
        const { status, text } = await api.fetch('GET', `${filled}?q=kumquat`, { token: staff });
        assert.ok(status !== 500, filled);
        assert.doesNotMatch(
          text.replaceAll('"q":"kumquat"', ''),
          /zeppelin|kumquat|quokka|ft_[\w-]{43}/,
          filled,
        );
      }
    }
    assert.equal((await member.call('GET', `/notes/${name}`)).body.text, 'kumquat');
  });
});
