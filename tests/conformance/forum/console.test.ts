import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import type { Member } from '../../support/forum-accounts.ts';
import { assertNo, type ForumReply, openForumHouse } from '../../support/forum-api.ts';
import {
  type Console,
  cookieOf,
  fromHere,
  openConsole,
  ownerLink,
  ownerToken,
  sendForm,
} from '../../support/forum-console.ts';
import { ask, tryToEnroll } from '../../support/forum-enrollment.ts';
import { openPostingForum, type PostingForum, post } from '../../support/forum-posts.ts';
import { requestWith } from '../../support/raw-http.ts';

const pages = ['', '/accounts', '/reports', '/rules', '/sandbox', '/audit'] as const;

/** Every form of the console with fields that would do something. */
const forms = (account_id: number): readonly [string, Record<string, string>][] => [
  ['/registration', { paused: 'true' }],
  ['/roles', { account_id: String(account_id), role: 'moderator' }],
  ['/storage', { account_id: String(account_id), quota_bytes: '20971520' }],
  ['/accounts', { account_id: String(account_id), status: 'suspended', reason: 'a reason' }],
  ['/posts', { post_id: '1', status: 'hidden', reason: 'a reason', report_id: '1', before: '0' }],
  ['/reports', { report_id: '1', before: '0' }],
  ['/rules', { rule_id: '1', locked: 'true' }],
  ['/agent', { paused: 'true' }],
  ['/policy', { policy: '{"title":"New","rules":["One."]}' }],
  ['/token', {}],
  ['/leave', {}],
];

/** Headers of the console that hold for each of its answers (D-FORUM-66). */
function assertConsoleHeaders({ headers }: ForumReply): void {
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
}

/** Asserts a page of the console that says no. */
function assertRefused(answer: ForumReply, status: number): void {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assertConsoleHeaders(answer);
}

forEachEngine((engine) => {
  describe('the console of the owner', () => {
    let forum: PostingForum;
    let member: Member;
    before(async () => {
      forum = await openPostingForum({ engine });
      member = await forum.member('member');
    });
    beforeEach(() => forum.rest());
    after(() => forum[Symbol.asyncDispose]());
    const enter = (link: string) => sendForm(forum.house, '/owner/enter', { link });
    const audit = async (console: Console) => (await console.open('/audit')).text;
    const me = async (of: Member) => (await of.call('GET', '/me')).body;

    it('a link signs in once, within ten minutes, and is not spent by being looked at [FORUM-252] [FORUM-253] [FORUM-254]', async () => {
      const said = await forum.house.command('forum', 'owner-link');
      assert.match(said, /^http:\/\/127\.0\.0\.1:\d+\/forum\/owner\/enter\?link=[\w-]{43}$/);
      const link = new URL(said).searchParams.get('link') ?? '';
      for (let look = 0; look < 3; look += 1) {
        const looked = await forum.api.fetch('GET', `/owner/enter?link=${link}`, {
          headers: fromHere(),
        });
        assert.equal(looked.status, 200);
        assertConsoleHeaders(looked);
        assert.match(looked.text, /<button/);
        assert.equal(looked.headers.get('set-cookie'), null);
      }
      forum.house.clock.advance(599_000);
      const entered = await enter(link);
      assert.equal(entered.status, 303);
      assertRefused(await enter(link), 403);
      const late = await ownerLink(forum.house);
      forum.house.clock.advance(600_000);
      assertRefused(await enter(late), 403);
      for (const wrong of ['', 'x'.repeat(43)]) assertRefused(await enter(wrong), 403);
      assertRefused(await sendForm(forum.house, '/owner/enter', {}), 400);
      const fresh = await ownerLink(forum.house);
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      assertRefused(await sendForm(forum.house, '/owner/enter', { link: fresh }, foreign), 403);
      assert.equal((await enter(fresh)).status, 303);
      const { text } = await forum.api.fetch('GET', '/openapi.json');
      assert.ok(!text.includes('/owner'), 'no route of the API is about links');
    });

    it('the cookie is for the console alone, and ends by time, by a new sign-in and by leaving [FORUM-258]', async () => {
      const entered = await enter(await ownerLink(forum.house));
      const set = entered.headers.get('set-cookie') ?? '';
      assert.match(
        set,
        /^stoa_forum_owner=[\w-]{43}; Max-Age=43200; Path=\/forum\/owner; HttpOnly; SameSite=Strict$/,
      );
      const cookie = cookieOf(entered);
      const see = async (with_cookie: string) => {
        const headers = { cookie: with_cookie, ...fromHere() };
        return (await forum.api.fetch('GET', '/owner', { headers })).status;
      };
      for (const minutes of [59, 59, 59]) {
        forum.house.clock.advance(minutes * 60_000);
        assert.equal(await see(cookie), 200);
      }
      assertNo(await forum.api.call('GET', '/me', { headers: { cookie } }), [401, 'unauthorized']);
      forum.house.clock.advance(3_599_000);
      assert.equal(await see(cookie), 200);
      forum.house.clock.advance(3_600_000);
      assert.equal(await see(cookie), 401);

      const long = await openConsole(forum.house);
      for (let hour = 0; hour < 12; hour += 1) {
        assert.equal(await see(long.cookie), 200);
        forum.house.clock.advance(hour === 11 ? 3_599_000 - 11 : 3_600_000 - 1_000);
      }
      forum.house.clock.advance(12_000);
      assert.equal(await see(long.cookie), 401, 'twelve hours are over');

      const first = await openConsole(forum.house);
      const second = await openConsole(forum.house);
      assert.deepEqual([await see(first.cookie), await see(second.cookie)], [401, 200]);
      const left = await second.send('/leave');
      assert.deepEqual([left.status, left.headers.get('location')], [303, '/forum/']);
      assert.match(left.headers.get('set-cookie') ?? '', /^stoa_forum_owner=; Max-Age=0;/);
      assert.equal(await see(second.cookie), 401);
      for (const wrong of ['stoa_forum_owner=', `stoa_forum_owner=${'x'.repeat(43)}`]) {
        assert.equal(await see(wrong), 401);
      }
    });

    it('without a session nothing is shown and nothing is done [FORUM-255] [FORUM-262]', async () => {
      const console = await openConsole(forum.house);
      const owner_token = await ownerToken(console);
      await console.send('/leave');
      for (const token of [undefined, member.token, owner_token]) {
        const sent = { headers: fromHere(), ...(token === undefined ? {} : { token }) };
        for (const page of pages) {
          const answer = await forum.api.fetch('GET', `/owner${page}`, sent);
          assertRefused(answer, 401);
          // It says how to get in, and leads to no page that would say the same again.
          assert.match(answer.text, /<h1>Sign in to the console<\/h1>/);
          assert.match(answer.text, /<code>bin\/stoa forum owner-link<\/code>/);
          assert.ok(!answer.text.includes('href="/forum/owner'));
          assert.ok(!answer.text.includes(member.handle));
        }
        for (const [path, fields] of forms(member.id)) {
          const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
          assertRefused(await sendForm(forum.house, `/owner${path}`, fields, headers), 401);
        }
      }
      assert.deepEqual([(await me(member)).role, (await me(member)).status], ['member', 'active']);
      for (const path of ['/host', '/status', '/metrics', '/owner', '/moderation/host']) {
        assertNo(await forum.api.call('GET', path, { token: owner_token }), [404, 'not_found']);
      }
    });

    it('a form without the word of its session, or from another site, is refused and does nothing [FORUM-257]', async () => {
      const { csrf: old } = await openConsole(forum.house);
      const console = await openConsole(forum.house);
      const before = await audit(console);
      const origin = new URL(forum.house.house.listening).origin;
      for (const [path, fields] of forms(member.id)) {
        for (const csrf of ['', old, `${console.csrf}x`]) {
          assertRefused(await console.send(path, { ...fields, csrf }), 403);
        }
        const { cookie } = console;
        assertRefused(await sendForm(forum.house, `/owner${path}`, fields, { cookie }), 403);
        for (const headers of [
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site', origin },
          { origin: 'https://evil.example' },
          { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
        ]) {
          assertRefused(await console.send(path, fields, headers), 403);
        }
      }
      assert.equal(await audit(console), before);
      assert.equal((await me(member)).role, 'member');
      const by_own_site = await console.send('/registration', { paused: 'false' }, { origin });
      assert.equal(by_own_site.status, 303);
    });

    it('roles are given here, from the next request on [FORUM-259] [FORUM-260]', async () => {
      const console = await openConsole(forum.house);
      const climber = await forum.member('climber');
      const guest = await forum.member('guest', { tier: 'guest' });
      const give = (account_id: number, role: string) =>
        console.send('/roles', { account_id: String(account_id), role });
      for (const role of ['moderator', 'administrator', 'member', 'moderator'] as const) {
        const given = await give(climber.id, role);
        assert.deepEqual(
          [given.status, given.headers.get('location')],
          [303, `/forum/owner/accounts#a${climber.id}`],
        );
        assert.equal((await me(climber)).role, role);
        const { status } = await climber.call('GET', '/moderation/reports');
        assert.equal(status, role === 'member' ? 403 : 200);
      }
      assertRefused(await give(1, 'member'), 403);
      assertRefused(await give(climber.id, 'owner'), 400);
      assertRefused(await give(guest.id, 'moderator'), 403);
      assertRefused(await give(99_999_999, 'moderator'), 404);
      assertRefused(await console.send('/roles', { account_id: 'x', role: 'member' }), 400);
      assert.deepEqual([(await me(climber)).role, (await me(guest)).role], ['moderator', 'member']);
      assert.match(await audit(console), /role changed/);
    });

    it('registration is paused and opened, and members notice nothing [FORUM-261]', async () => {
      const console = await openConsole(forum.house);
      const open = await ask(forum.api, 'before_the_pause');
      const agent_json = async () =>
        (await forum.api.fetch('GET', '/.well-known/agent.json')).body.registration;
      assert.equal((await console.send('/registration', { paused: 'true' })).status, 303);
      const asked = await forum.api.call('POST', '/challenges', { body: { handle: 'too_late' } });
      assertNo(asked, [503, 'registration_paused']);
      const enrolled = await forum.api.call('POST', '/accounts', {
        body: { challenge_id: open.id },
      });
      assertNo(enrolled, [503, 'registration_paused']);
      assert.equal(await agent_json(), 'paused');
      assert.equal(
        (await member.call('PATCH', '/me', { body: { bio: 'still here' } })).status,
        200,
      );
      assert.match((await console.open()).text, /id="registration">paused</);
      await forum.house.restart();
      assert.equal(await agent_json(), 'paused');
      assert.equal((await console.send('/registration', { paused: 'false' })).status, 303);
      assert.equal(await agent_json(), 'open');
      assert.equal((await tryToEnroll(forum.api, 'after_the_pause')).status, 201);
      const trail = await audit(console);
      assert.match(trail, /registration paused/);
      assert.match(trail, /registration resumed/);
      assertRefused(await console.send('/registration', { paused: 'yes' }), 400);
    });

    it('storage is raised, and lowered again to what the tier has [FORUM-263] [FORUM-114]', async () => {
      const console = await openConsole(forum.house);
      const [full, guest] = [
        await forum.member('full'),
        await forum.member('small', { tier: 'guest', used_posts_bytes: 262_144 }),
      ];
      const set = (account_id: number, quota_bytes: string) =>
        console.send('/storage', { account_id: String(account_id), quota_bytes });
      const quota = async (of: Member) => (await me(of)).storage.quota;
      const write = () => guest.call('POST', '/posts', { body: { title: 'x', body: 'y' } });
      assert.equal((await write()).status, 507);
      assert.equal((await set(guest.id, '262146')).status, 303);
      assert.equal(await quota(guest), 262_146);
      assert.equal((await write()).status, 201);
      assert.equal((await write()).status, 507);
      assert.equal((await set(full.id, '20971520')).status, 303);
      assert.equal(await quota(full), 20_971_520);
      for (const [id, wrong] of [
        [full.id, '10485759'],
        [guest.id, '262143'],
        [full.id, '-1'],
        [full.id, '1e9'],
        [full.id, ''],
        [full.id, '999999999999999'],
      ] as const) {
        assertRefused(await set(id, wrong), 400);
      }
      assert.equal((await set(full.id, '10485760')).status, 303);
      assert.equal(await quota(full), 10_485_760);
      assertRefused(await set(99_999_999, '10485760'), 404);
    });

    it('a policy is published here as the next version [FORUM-264] [FORUM-026]', async () => {
      const console = await openConsole(forum.house);
      const current = async () => (await forum.api.call('GET', '/policy')).body;
      const version = Number((await current()).policy_version);
      const publish = (policy: string) => console.send('/policy', { policy });
      for (const wrong of ['', 'no JSON', '[]', '{"title":"x"}', '{"title":"","rules":["x"]}']) {
        assertRefused(await publish(wrong), 400);
      }
      const text = JSON.stringify({ title: 'Neu: “Regeln”', rules: ['Sei ehrlich.'] });
      assert.equal((await publish(text)).status, 303);
      const { policy, policy_version } = await current();
      assert.deepEqual(
        [policy_version, policy.version],
        [String(version + 1), String(version + 1)],
      );
      assert.deepEqual([policy.title, policy.rules], ['Neu: “Regeln”', ['Sei ehrlich.']]);
      assert.equal((await me(member)).policy_current, false);
      assertRefused(await publish(text), 400);
      assert.match(await audit(console), /policy published/);
      const { sha256: policy_sha256 } = await current();
      const accepted = { accept_policy: true, policy_sha256, policy_version };
      assert.equal((await member.call('POST', '/policy/accept', { body: accepted })).status, 200);
    });

    it('staff are suspended here, and restored [FORUM-170] [FORUM-171]', async () => {
      const console = await openConsole(forum.house);
      const staff = await forum.member('staff', { role: 'administrator' });
      const judge = (id: number, status: string, reason = 'for the test') =>
        console.send('/accounts', { account_id: String(id), status, reason });
      assert.equal((await judge(staff.id, 'suspended')).status, 303);
      assertNo(await staff.call('GET', '/me'), [401, 'account_suspended']);
      assert.match((await console.open(`/accounts?handle=${staff.handle}`)).text, /Restore/);
      assert.equal((await judge(staff.id, 'active')).status, 303);
      assert.equal((await me(staff)).role, 'administrator');
      assertRefused(await judge(1, 'suspended'), 403);
      assertRefused(await judge(99_999_999, 'suspended'), 404);
      for (const reason of ['', 'xx', 'x'.repeat(401), '    ', 'a\u0007b']) {
        assertRefused(await judge(staff.id, 'suspended', reason), 400);
      }
    });

    it('the token of the owner is shown once; a new one ends it and what it opened [FORUM-255]', async () => {
      const console = await openConsole(forum.house);
      const first = await ownerToken(console);
      const as = (token: string, method: string, path: string, body?: unknown) =>
        forum.api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
      const account = (await as(first, 'GET', '/me')).body;
      assert.deepEqual([account.id, account.role, account.handle], [1, 'owner', 'owner']);
      const { policy_sha256, policy_version } = (await as(first, 'POST', '/posts', {})).body.error;
      if (policy_sha256 !== undefined) {
        const body = { accept_policy: true, policy_sha256, policy_version };
        await as(first, 'POST', '/policy/accept', body);
      }
      assert.equal((await as(first, 'PUT', '/notes/plan', { text: 'secret plan' })).status, 201);
      for (const page of pages) {
        const { text } = await console.open(page);
        assert.ok(!text.includes('secret plan') && !text.includes(first), page);
      }
      const second = await ownerToken(console);
      assertNo(await as(first, 'GET', '/me'), [401, 'unauthorized']);
      assert.deepEqual((await as(second, 'GET', '/notes')).body.items, []);
      assert.equal((await as(second, 'GET', '/me')).body.storage.used.notes, 0);
      assertNo(await as(second, 'GET', '/notes/plan'), [404, 'not_found']);
      assert.equal((await as(second, 'PUT', '/notes/plan', { text: 'again' })).status, 201);
    });

    it('reports, the trail, accounts and the host are shown, and notes are not [FORUM-265] [FORUM-262] [FORUM-185]', async () => {
      const console = await openConsole(forum.house);
      const named = '<b>&"\'</b>';
      const writer = await forum.member('writer', { display_name: named, model_name: named });
      await writer.call('PUT', '/notes/diary', { body: { text: 'dear diary', tags: ['private'] } });
      const { id } = await post(writer, { title: named, body: named });
      await member.call('POST', '/reports', { body: { post_id: id, reason: `${named} is odd` } });
      const shown = '&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;';
      const by_page = new Map<string, string>();
      for (const page of pages) {
        const answer = await console.open(page);
        assert.equal(answer.status, 200, page);
        assertConsoleHeaders(answer);
        assert.ok(!answer.text.includes('<b>'), page);
        for (const word of ['dear diary', 'diary', writer.token, '<script', ' onclick']) {
          assert.ok(!answer.text.includes(word), `${page} ${word}`);
        }
        by_page.set(page, answer.text);
      }
      assert.ok(by_page.get('/reports')?.includes(`${shown} is odd`));
      assert.match(by_page.get('/audit') ?? '', /owner signed in/);
      const overview = by_page.get('') ?? '';
      for (const fact of [
        'Version',
        'Up',
        'Processes',
        'Database',
        'Last backup',
        'Mini agent',
        'Sandbox',
        'Live challenges',
        'Open reports',
        'Load of the host',
        'Memory of the host',
        'Free disk',
        'Requests a second',
      ]) {
        assert.ok(overview.includes(fact), fact);
      }
      assert.match(overview, engine === 'sqlite' ? /SQLite/ : /PostgreSQL/);
      assert.equal(overview.match(/<svg [^>]*role="img"/g)?.length, 7);
      const found = (await console.open(`/accounts?handle=${writer.handle}`)).text;
      assert.ok(found.includes(shown) && found.includes(`@${writer.handle}`));
      assert.ok(!found.includes(member.handle));
      for (const [page, query] of [
        ['/audit', 'before'],
        ['/reports', 'before'],
        ['/accounts', 'after'],
      ]) {
        assertRefused(await console.open(`${page}?${query}=abc`), 400);
        assert.equal((await console.open(`${page}?${query}=1`)).status, 200);
      }
    });

    it('the second half has its places in the console already [FORUM-257]', async () => {
      const console = await openConsole(forum.house);
      assertRefused(await console.send('/rules', { rule_id: '1', locked: 'true' }), 404);
      assertRefused(await console.send('/rules', { rule_id: '1' }), 400);
      assert.equal((await console.send('/agent', { paused: 'true' })).status, 303);
      assert.match(await audit(console), /agent paused/);
      assert.equal((await console.send('/agent', { paused: 'false' })).status, 303);
    });

    it('the operator gives the same orders by the command [FORUM-252] [FORUM-259] [FORUM-177]', async () => {
      const { house } = forum;
      const told = await forum.member('told');
      const order = (verb: string, given: Record<string, unknown>) =>
        house.command('forum', verb, given);
      const account_id = told.id;
      assert.equal(
        await order('role', { account_id, role: 'moderator' }),
        `@${told.handle} is moderator now.`,
      );
      assert.equal((await me(told)).role, 'moderator');
      await order('storage', { account_id, quota_bytes: 20_971_520 });
      assert.equal((await me(told)).storage.quota, 20_971_520);
      await order('suspend', { account_id, reason: 'for the test' });
      assertNo(await told.call('GET', '/me'), [401, 'account_suspended']);
      await order('restore', { account_id, reason: 'for the test' });
      assert.equal((await me(told)).status, 'active');
      assert.equal(await order('registration', { state: 'paused' }), 'Registration is paused.');
      assertNo(await forum.api.call('POST', '/challenges', { body: { handle: 'too_late' } }), [
        503,
        'registration_paused',
      ]);
      await order('registration', { state: 'open' });
      const listed = (await order('accounts', { handle: told.handle })).split('\n');
      assert.deepEqual(
        listed.map((line) => line.split(/ +/)),
        [
          ['number', 'handle', 'role', 'tier', 'status'],
          [String(told.id), told.handle, 'moderator', 'full', 'active'],
        ],
      );
      assert.match(await order('accounts', { handle: 'nobody_at_all' }), /no such/);
      const file = join(house.data, 'policy.json');
      writeFileSync(file, JSON.stringify({ title: 'From a file', rules: ['One.'] }));
      assert.match(
        await order('policy-publish', { file }),
        /^Version \d+ of the policy is in force\.$/,
      );
      assert.equal((await forum.api.call('GET', '/policy')).body.policy.title, 'From a file');
      await assert.rejects(
        order('policy-publish', { file: join(house.data, 'none.json') }),
        /could not be read/,
      );
      const token = await order('owner-token', { confirm: 'erase-my-notes' });
      assert.equal((await forum.api.call('GET', '/me', { token })).body.role, 'owner');
      await assert.rejects(order('owner-token', {}), /confirm/);
      await assert.rejects(order('role', { account_id: 1, role: 'member' }), /owner/);
      assert.match(await order('audit-verify', {}), /^All \d+ entries of the audit trail hold\.$/);
    });
  });
});

describe('from where the console answers', () => {
  const engine = engines[0] ?? 'sqlite';
  const see = async (
    house: Parameters<typeof requestWith>[0],
    headers: Readonly<Record<string, string>>,
  ) => (await requestWith(house, '/forum/owner', { headers })).status;

  it('is this machine alone, not by a proxy or a name that means it [FORUM-256]', async () => {
    await using direct = await openForumHouse({ engine, config: { trust_proxy: 0 } });
    const port = new URL(direct.house.listening).port;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '[::1]:80', 'LOCALHOST']) {
      assert.equal(await see(direct, { host }), 401, host);
    }
    for (const host of [
      'forum.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1:1:1',
    ]) {
      assert.equal(await see(direct, { host }), 404, host);
    }
    const host = `127.0.0.1:${port}`;
    for (const name of [
      'x-forwarded-for',
      'forwarded',
      'via',
      'x-real-ip',
      'x-forwarded-host',
      'x-forwarded-proto',
    ]) {
      assert.equal(await see(direct, { host, [name]: '127.0.0.1' }), 404, name);
    }
    const link = new URL(await direct.command('forum', 'owner-link'));
    const stranger = await requestWith(direct, `/forum/owner/enter${link.search}`, {
      headers: { host: 'forum.example' },
    });
    assert.equal(stranger.status, 404);
  });

  it('counts the proxies that are trusted [FORUM-256]', async () => {
    await using behind = await openForumHouse({ engine });
    const host = '127.0.0.1';
    for (const [forwarded_for, status] of [
      ['127.0.0.1', 401],
      ['::1', 401],
      ['203.0.113.5', 404],
      ['203.0.113.5, 127.0.0.1', 404],
      ['127.0.0.1, 203.0.113.5', 404],
    ] as const) {
      assert.equal(
        await see(behind, { host, 'x-forwarded-for': forwarded_for }),
        status,
        forwarded_for,
      );
    }
    assert.equal(await see(behind, { host }), 401);
  });

  it('is anywhere or nowhere, if the operator says so', async () => {
    await using open = await openForumHouse({ engine, settings: { console: 'anywhere' } });
    assert.equal(await see(open, { host: 'forum.example', 'x-forwarded-for': '203.0.113.5' }), 401);
    await using shut = await openForumHouse({ engine, settings: { console: 'off' } });
    assert.equal(await see(shut, { host: 'localhost' }), 404);
  });

  it('is reached by no link over TCP but in practice mode [FORUM-252]', async () => {
    await using house = await openForumHouse({ engine, practice: false });
    const asked = await house.fetch('/practice/forum/owner-link', { method: 'POST' });
    assert.equal(asked.status, 404);
    assert.match(await house.command('forum', 'owner-link'), /\/forum\/owner\/enter\?link=/);
  });

  it('is printed at the name of the house, with a secure cookie, where that is https [FORUM-258]', async () => {
    const config = { public_url: 'https://stoa.example' };
    await using house = await openForumHouse({ engine, config, settings: { console: 'anywhere' } });
    const said = await house.command('forum', 'owner-link');
    assert.match(said, /^https:\/\/stoa\.example\/forum\/owner\/enter\?link=/);
    const entered = await requestWith(house, '/forum/owner/enter', {
      method: 'POST',
      headers: {
        host: 'stoa.example',
        origin: 'https://stoa.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URL(said).search.slice(1),
    });
    assert.equal(entered.status, 303, entered.text);
    assert.match(entered.headers.get('set-cookie') ?? '', /; Secure/);
  });
});
