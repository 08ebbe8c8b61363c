import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countOutcomes } from '../../support/answers.ts';
import { joinForum } from '../../support/forum-accounts.ts';
import {
  assertBadField,
  assertNo,
  type ForumApi,
  forumOf,
  freshAddress,
  openForumHouse,
} from '../../support/forum-api.ts';
import {
  ask,
  assertFree,
  type Challenge,
  digestOf,
  enrollmentOf,
  solve,
  solveShort,
} from '../../support/forum-enrollment.ts';
import type { TestHouse } from '../../support/open-house.ts';

let house: TestHouse;
let api: ForumApi;
before(async () => {
  house = await openForumHouse({ engine: 'sqlite' });
  api = forumOf(house);
});
after(() => house.close());

const second = () => Math.floor(house.clock.now() / 1_000);
const complete = (client: string, body: unknown) => api.call('POST', '/accounts', { client, body });

describe('a challenge', () => {
  test('says all that is hashed, for whom, and until when [FORUM-036] [FORUM-039]', async () => {
    const { status, body } = await api.call('POST', '/challenges', {
      body: { handle: 'first_one', tier: 'guest' },
    });
    assert.equal(status, 201);
    const { id, seed, policy_sha256, ...rest } = body;
    assert.match(id, /^ch_[0-9a-f]{32}$/);
    assert.match(seed, /^[0-9a-f]{64}$/);
    assert.match(policy_sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      handle: 'first_one',
      tier: 'guest',
      policy_version: '1',
      difficulty_bits: 12,
      expires_at: second() + 120,
    });
  });

  test('has 18 bits for a full account and 12 for a guest; there is no other tier [FORUM-037] [FORUM-038]', async () => {
    const client = freshAddress();
    const bits = async (tier: unknown) => {
      const body = { handle: 'tiers', ...(tier === undefined ? {} : { tier }) };
      return (await api.call('POST', '/challenges', { client, body })).body.difficulty_bits;
    };
    assert.deepEqual(
      [await bits(undefined), await bits(null), await bits('full'), await bits('guest')],
      [18, 18, 18, 12],
    );
    for (const tier of ['owner', 'Guest', '', 1, ['guest']]) {
      const body = { handle: 'tiers', tier };
      assertBadField(await api.call('POST', '/challenges', { body }), 'tier');
    }
  });

  test('is given for handles of 3 to 48 characters of their kind [FORUM-040] [FORUM-041]', async () => {
    const longest = `a${'b'.repeat(47)}`;
    for (const handle of ['abc', 'a_9', longest]) {
      assert.equal((await ask(api, handle)).handle, handle);
    }
    const wrong = [
      '',
      'a',
      'ab',
      `${longest}b`,
      'aB',
      'Nova',
      'a-b-c',
      'növa',
      '9ab',
      '_a',
      '_abc',
    ];
    for (const handle of [
      ...wrong,
      'ab\n',
      ' abc',
      'abc ',
      '🤖🤖🤖',
      7,
      null,
      undefined,
      ['abc'],
    ]) {
      assertBadField(await api.call('POST', '/challenges', { body: { handle } }), 'handle');
    }
  });

  test('is not given for a handle in use or reserved [FORUM-042]', async () => {
    await joinForum(house, 'in_use');
    const reserved =
      'admin administrator moderator staff system stoa server anonymous deleted everyone all here';
    for (const handle of ['in_use', 'owner', ...reserved.split(' ')]) {
      assertNo(await api.call('POST', '/challenges', { body: { handle } }), [409, 'handle_taken']);
    }
  });

  test('reserves no handle: the first who completes gets it [FORUM-043]', async () => {
    const [one, two] = [freshAddress(), freshAddress()];
    const first = await ask(api, 'contested', { client: one });
    const later = await ask(api, 'contested', { client: two });
    assert.equal((await complete(two, enrollmentOf(later))).status, 201);
    assertNo(await complete(one, enrollmentOf(first)), [409, 'handle_taken']);
  });

  test('is like no other in id and seed [FORUM-044]', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => ask(api, 'unpredictable')));
    for (const part of ['id', 'seed'] as const) {
      assert.equal(new Set(all.map((one) => one[part])).size, 12);
      // Not even their beginnings meet, as those of counters or instants would.
      assert.equal(new Set(all.map((one) => one[part].slice(3, 15))).size, 12);
    }
  });
});

describe('a proof', () => {
  let client: string;
  let challenge: Challenge;
  let handles = 0;
  const renew = async (tier?: 'guest' | 'full') => {
    // The challenges of the cases before are over: no more than a hundred live at once.
    house.clock.advance(120_000);
    handles += 1;
    client = freshAddress();
    challenge = await ask(api, `proof_${handles}`, { client, ...(tier ? { tier } : {}) });
  };

  test('is a nonce whose digest lies below the bound [FORUM-045]', async () => {
    await renew();
    const nonce = solve(challenge);
    assert.ok(digestOf(challenge, nonce) < 2n ** BigInt(256 - 12));
    const { status } = await complete(client, enrollmentOf(challenge, { nonce }));
    assert.equal(status, 201);
  });

  test('of 18 bits makes a full account [FORUM-037] [FORUM-073]', async () => {
    await renew('full');
    const { status, body } = await complete(client, enrollmentOf(challenge));
    assert.equal(status, 201);
    assert.deepEqual([body.account.tier, body.account.expires_at], ['full', null]);
  });

  test('one bit short is refused, and spends the challenge [FORUM-047] [FORUM-050]', async () => {
    await renew();
    const short = enrollmentOf(challenge, { nonce: solveShort(challenge) });
    assertNo(await complete(client, short), [400, 'proof_invalid'], { difficulty_bits: 12 });
    const right = enrollmentOf(challenge);
    assertNo(await complete(client, right), [409, 'challenge_unusable']);
    await assertFree(house, challenge.handle);
  });

  test('is a string of digits and nothing else [FORUM-048]', async () => {
    for (const nonce of [2253, '', '12a', '-1', '1.0', ' 1', '٣', null, '1'.repeat(65), ['1']]) {
      await renew();
      assertBadField(await complete(client, enrollmentOf(challenge, { nonce })), 'nonce');
    }
    await renew();
    const padded = Array.from({ length: 1_000_000 }, (_, counter) => `00${counter}`);
    const nonce = padded.find((text) => digestOf(challenge, text) >> 244n === 0n);
    const { status, text } = await complete(client, enrollmentOf(challenge, { nonce }));
    assert.equal(status, 201, text);
  });

  test('comes within 120 seconds [FORUM-049]', async () => {
    await renew();
    house.clock.advance(119_000);
    assert.equal((await complete(client, enrollmentOf(challenge))).status, 201);
    await renew();
    house.clock.advance(120_000);
    assertNo(await complete(client, enrollmentOf(challenge)), [409, 'challenge_unusable']);
  });

  test('is spent whatever else is wrong with it [FORUM-051]', async () => {
    const wrong: [string, unknown][] = [
      ['display_name', ''],
      ['accept_policy', 1],
      ['bio', 7],
      ['policy_sha256', undefined],
      ['recovery_passphrase', 'short'],
    ];
    for (const [field, value] of wrong) {
      await renew();
      const refused = await complete(client, enrollmentOf(challenge, { [field]: value }));
      assertBadField(refused, field);
      // To correct the field alone would not help.
      assert.match(refused.body.error.hint, /spent.* new one with POST .*\/api\/v1\/challenges/);
      assertNo(await complete(client, enrollmentOf(challenge)), [409, 'challenge_unusable']);
    }
    await renew();
    const outdated = enrollmentOf(challenge, { policy_version: '0' });
    const told = await complete(client, outdated);
    assert.equal(told.status, 409);
    assert.match(told.body.error.hint, /spent.*POST .*\/api\/v1\/challenges/);
    assertNo(await complete(client, enrollmentOf(challenge)), [409, 'challenge_unusable']);
  });

  test('is given to no handle of another form, and the form is told', async () => {
    const body = { handle: 'First Guest!' };
    const { body: said } = await api.call('POST', '/challenges', { body });
    const form = /^handle .* a small letter, then 2 to 47 small letters, digits or underscores$/;
    assert.match(said.error.message, form);
  });

  test('is not spent by what never was an attempt [FORUM-052]', async () => {
    await renew();
    const good = enrollmentOf(challenge);
    assertNo(await complete(client, '{"challenge_id":'), [400, 'bad_request']);
    const { challenge_id: _, ...unnamed } = good;
    const without = await complete(client, unnamed);
    assertBadField(without, 'challenge_id');
    assert.doesNotMatch(without.body.error.hint, /spent/);
    assertNo(await complete(client, [good]), [400, 'bad_request']);
    const large = { ...good, purpose: 'x'.repeat(32_768) };
    assertNo(await complete(client, large), [413, 'body_too_large'], { limit: 32_768 });
    await house.command('forum', 'registration', { state: 'paused' });
    assertNo(await complete(client, good), [503, 'registration_paused']);
    await house.command('forum', 'registration', { state: 'open' });
    assert.equal((await complete(client, good)).status, 201);
  });

  test('counts once [FORUM-053] [FORUM-054]', async () => {
    await renew();
    const body = enrollmentOf(challenge);
    assert.equal((await complete(client, body)).status, 201);
    assertNo(await complete(client, body), [409, 'challenge_unusable']);
    for (const challenge_id of ['', 'ch_', `ch_${'0'.repeat(32)}`, challenge.id.toUpperCase()]) {
      const unknown = enrollmentOf(challenge, { challenge_id, nonce: '1' });
      assertNo(await complete(freshAddress(), unknown), [409, 'challenge_unusable']);
    }
  });

  test('comes from the network address of its challenge, as the last proxy says it [FORUM-055]', async () => {
    await renew();
    const other = freshAddress();
    const elsewhere = await complete(other, enrollmentOf(challenge));
    assertNo(elsewhere, [409, 'challenge_unusable']);
    // It is spent by that, too.
    const spent = await complete(client, enrollmentOf(challenge));
    assertNo(spent, [409, 'challenge_unusable']);
    await renew();
    // What stands to the left of the proxy's own entry is the client's claim.
    const claimed = await complete(`${client}, ${other}`, enrollmentOf(challenge));
    assertNo(claimed, [409, 'challenge_unusable']);
    await renew();
    const true_one = await complete(`${other}, ${client}`, enrollmentOf(challenge));
    assert.equal(true_one.status, 201);
  });

  test('may come from anywhere in one IPv6 /64 [FORUM-056]', async () => {
    const [one, two] = ['2001:db8:7:8::1', '2001:db8:7:8:ffff::2'];
    const near = await ask(api, 'near', { client: one });
    assert.equal((await complete(two, enrollmentOf(near))).status, 201);
    const far = await ask(api, 'far', { client: one });
    const refused = await complete('2001:db8:7:9::1', enrollmentOf(far));
    assertNo(refused, [409, 'challenge_unusable']);
    const mapped = await ask(api, 'mapped', { client: '::ffff:192.0.2.9' });
    assert.equal((await complete('192.0.2.9', enrollmentOf(mapped))).status, 201);
  });

  test('sent twenty times at once makes one account [FORUM-057]', async () => {
    await renew();
    const body = enrollmentOf(challenge);
    const answers = await Promise.all(Array.from({ length: 20 }, () => complete(client, body)));
    // Six completions an hour are tried from one address (D-FORUM-110).
    assert.deepEqual(countOutcomes(answers), {
      201: 1,
      '409 challenge_unusable': 5,
      '429 rate_limited': 14,
    });
    const made = answers.find(({ status }) => status === 201);
    const { token, account } = made?.body ?? {};
    assert.equal((await api.call('GET', '/me', { token })).body.id, account.id);
  });
});
