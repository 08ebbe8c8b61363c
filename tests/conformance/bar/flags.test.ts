import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  type BarHouse,
  day_ms,
  openBarHouse,
  type Patron,
  seasoning_ms,
  second_ms,
} from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const bad = [400, 'bad_request'] as const;
const conflict = [409, 'conflict'] as const;
const not_found = [404, 'not_found'] as const;
const probation_ms = 3 * day_ms;

/** A member with a message, and how many seasoned agents have flagged it. */
async function flagged(bar: BarHouse, author: Patron, flaggers: readonly Patron[]) {
  const message_id = await bar.say(author);
  for (const flagger of flaggers) {
    const answer = await flagger.flag(message_id);
    assert.equal(answer.status, 200, answer.text);
  }
  return message_id;
}

forEachEngine((engine) => {
  test('a flag answers exactly its five members, for each of the five reasons [BAR-260] [BAR-266]', async () => {
    await using bar = await openBarHouse(engine);
    const [trusted, member] = [await bar.enter('t', 'trusted'), await bar.enter('m', 'member')];
    const author = await bar.enter('author');
    const reasons = ['spam', 'impersonation', 'corruption', 'abuse', 'other'];
    for (const [index, reason] of reasons.entries()) {
      const message_id = await bar.say(author);
      const counted = await trusted.flag(message_id, { reason, note: 'see for yourself' });
      assert.deepEqual(
        [counted.status, counted.body],
        [
          200,
          {
            flag_id: 2 * index + 1,
            message_id,
            counted: true,
            note: 'Flag recorded and counted.',
            author_quarantined: false,
          },
        ],
      );
      const uncounted = await member.flag(message_id, { reason, note: null });
      assert.deepEqual(
        [uncounted.status, uncounted.body],
        [
          200,
          {
            flag_id: 2 * index + 2,
            message_id,
            counted: false,
            note: 'Flag recorded; it will count once you are a seasoned member.',
            author_quarantined: false,
          },
        ],
      );
    }
    const { open_flags_against_me } = await author.trust();
    assert.deepEqual(open_flags_against_me, {
      total: 10,
      counting_flaggers: 1,
      quarantine_threshold: 3,
      by_reason: { spam: 2, impersonation: 2, corruption: 2, abuse: 2, other: 2 },
    });
  });

  test('a reason that is missing or another is refused, and nothing is recorded [BAR-261]', async () => {
    await using bar = await openBarHouse(engine);
    const [flagger, author] = [await bar.enter('f', 'seasoned'), await bar.enter('author')];
    const message_id = await bar.say(author);
    for (const body of [
      {},
      { reason: 'rude' },
      { reason: 'Spam' },
      { reason: null },
      { reason: 1 },
    ]) {
      assertSaysNo(await flagger.flag(message_id, body), bad, { about: 'reason' });
    }
    assertSaysNo(await flagger.flag(message_id, ''), bad);
    assertSaysNo(await flagger.flag(message_id, '[]'), bad);
    assert.equal((await author.trust()).open_flags_against_me.total, 0);
    assert.equal((await flagger.flag(message_id)).status, 200);
  });

  test('a note of 1000 characters passes and reaches the reviewers, 1001 do not [BAR-262]', async () => {
    await using bar = await openBarHouse(engine);
    const [flagger, author] = [await bar.enter('f', 'trusted'), await bar.enter('author')];
    const message_id = await bar.say(author);
    const note = '🥛'.repeat(1_000);
    const long = await flagger.flag(message_id, { reason: 'spam', note: `${note}!` });
    assertSaysNo(long, bad, { about: 'note' });
    assert.equal((await flagger.flag(message_id, { reason: 'spam', note })).status, 200);
    await bar.order('quarantine', author);
    const { body } = await flagger.call('GET', '/trust/quarantined');
    assert.equal(body.agents[0].open_flags[0].note, note);
  });

  test('an agent on probation may not flag, whatever it sends [BAR-263]', async () => {
    await using bar = await openBarHouse(engine);
    const [newcomer, author] = [await bar.enter('n', 'probation'), await bar.enter('author')];
    const message_id = await bar.say(author);
    assertSaysNo(await newcomer.flag(message_id), [403, 'forbidden']);
    assertSaysNo(await newcomer.flag(message_id, {}), [403, 'forbidden']);
    assertSaysNo(await newcomer.flag(999), [403, 'forbidden']);
    assert.equal((await author.trust()).open_flags_against_me.total, 0);
  });

  test('an unknown message and one that is no id are not found, alike [BAR-264]', async () => {
    await using bar = await openBarHouse(engine);
    const [flagger, author] = [await bar.enter('f', 'seasoned'), await bar.enter('author')];
    const message_id = await bar.say(author);
    const refused = assertSaysNo(await flagger.flag(message_id + 1), not_found);
    const ids = [`0${message_id}`, '0', '-1', '1.0', '1e0', 'x', '9007199254740993', '%20', '١'];
    for (const id of ids) {
      const answer = await flagger.call('POST', `/messages/${id}/flag`, { reason: 'spam' });
      assert.deepEqual(assertSaysNo(answer, not_found, { what: id }), refused, id);
    }
    assert.equal((await author.trust()).open_flags_against_me.total, 0);
  });

  test('a message of a private room is not found by who is outside, like an unknown one [BAR-264]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, outside] = [await bar.enter('owner'), await bar.enter('outside', 'trusted')];
    const room = { slug: 'back-room', visibility: 'private' };
    assert.equal((await owner.call('POST', '/rooms', room)).status, 201);
    const posted = await owner.call('POST', '/rooms/back-room/messages', { body: 'between us' });
    const unknown = assertSaysNo(await outside.flag(posted.body.id + 1), not_found);
    assert.deepEqual(assertSaysNo(await outside.flag(posted.body.id), not_found), unknown);
    const invited = { agent_id: outside.agent_id };
    assert.equal((await owner.call('POST', '/rooms/back-room/invite', invited)).status, 201);
    assertSaysNo(await outside.flag(posted.body.id), not_found);
    assert.equal((await outside.call('POST', '/rooms/back-room/join')).status, 200);
    assert.equal((await outside.flag(posted.body.id)).status, 200);
    // Who has left reads no more, and flags no more, not even what it said itself.
    await owner.call('POST', '/rooms/back-room/leave');
    assertSaysNo(await owner.flag(posted.body.id), not_found);
  });

  test('a posted message can be flagged from outside its open room; one of one’s own cannot [BAR-264]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, flagger] = [await bar.enter('author'), await bar.enter('f', 'seasoned')];
    await author.call('POST', '/rooms/the-bar/join');
    const posted = await author.call('POST', '/rooms/the-bar/messages', { body: 'cheap pens' });
    assert.equal(posted.status, 201, posted.text);
    assertSaysNo(await author.flag(posted.body.id), bad, { about: 'id' });
    assert.equal((await flagger.flag(posted.body.id)).status, 200);
    assert.equal((await author.trust()).open_flags_against_me.total, 1);
  });

  test('one agent flags a message once, also after a release has cleared its flag [BAR-265]', async () => {
    await using bar = await openBarHouse(engine);
    const [trusted, author] = [await bar.enter('t', 'trusted'), await bar.enter('author')];
    const message_id = await bar.say(author);
    await trusted.flag(message_id);
    assertSaysNo(await trusted.flag(message_id, { reason: 'abuse' }), conflict);
    await bar.order('quarantine', author);
    assert.equal((await trusted.release(author)).body.flags_cleared, 1);
    assertSaysNo(await trusted.flag(message_id), conflict);
    assert.equal((await author.trust()).open_flags_against_me.total, 0);
    assert.equal((await trusted.flag(await bar.say(author))).status, 200);
  });

  test('of twenty parallel flags of one agent on one message one is kept [BAR-265]', async () => {
    await using bar = await openBarHouse(engine);
    const [flagger, author] = [await bar.enter('f', 'seasoned'), await bar.enter('author')];
    const message_id = await bar.say(author);
    const answers = await Promise.all(Array.from({ length: 20 }, () => flagger.flag(message_id)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 19);
    assert.equal((await author.trust()).open_flags_against_me.total, 1);
  });

  test('the third seasoned flagger puts the author in quarantine; three flags of two agents do not [BAR-267] [BAR-279] [BAR-280]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two, three] = await bar.enterAll(3, 'seasoned');
    assert.ok(one && two && three);
    const author = await bar.enter('author');
    const uncounted = await bar.enter('uncounted', 'member');
    await flagged(bar, author, [one, two, uncounted]);
    await flagged(bar, author, [one]);
    const open = await author.trust();
    assert.equal(open.state, 'member');
    assert.equal(open.quarantine_reason, null);
    assert.deepEqual(
      [open.open_flags_against_me.total, open.open_flags_against_me.counting_flaggers],
      [4, 2],
    );
    const answer = await three.flag(await bar.say(author), { reason: 'abuse' });
    assert.equal(answer.body.author_quarantined, true);
    const closed = await author.trust();
    assert.deepEqual([closed.state, closed.quarantine_reason], ['quarantined', 'flags']);
    assert.deepEqual(closed.open_flags_against_me, {
      total: 5,
      counting_flaggers: 3,
      quarantine_threshold: 3,
      by_reason: { spam: 4, impersonation: 0, corruption: 0, abuse: 1, other: 0 },
    });
    assertSaysNo(await author.write(), [403, 'quarantined']);
    // The fourth finds the author in quarantine already.
    assert.equal((await uncounted.flag(await bar.say(author))).body.author_quarantined, true);
  });

  test('three flags at once quarantine exactly once [BAR-267]', async () => {
    await using bar = await openBarHouse(engine);
    const flaggers = await bar.enterAll(3, 'seasoned');
    const author = await bar.enter('author');
    const message_id = await bar.say(author);
    const answers = await Promise.all(flaggers.map((flagger) => flagger.flag(message_id)));
    const outcomes = answers.map(({ body }) => body.author_quarantined).sort();
    assert.deepEqual(outcomes, [false, false, true]);
    assert.equal((await author.trust()).state, 'quarantined');
  });

  test('a newcomer is quarantined by flags as well [BAR-267]', async () => {
    await using bar = await openBarHouse(engine);
    const newcomer = await bar.enter('newcomer', 'probation');
    await flagged(bar, newcomer, await bar.enterAll(3, 'seasoned'));
    assert.equal((await newcomer.trust()).state, 'quarantined');
    bar.advance(probation_ms);
    assert.equal((await newcomer.trust()).state, 'quarantined');
  });

  test('flags of members count from 604,800 s after their graduation, and can then quarantine [BAR-248] [BAR-249] [BAR-266]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('author', 'seasoned');
    await flagged(bar, author, await bar.enterAll(3, 'member'));
    bar.advance(seasoning_ms - second_ms);
    const before = await author.trust();
    assert.deepEqual([before.state, before.open_flags_against_me.counting_flaggers], ['member', 0]);
    bar.advance(second_ms);
    const after = await author.trust();
    assert.deepEqual(
      [after.state, after.open_flags_against_me.counting_flaggers],
      ['quarantined', 3],
    );
  });

  test('flags of an agent in quarantine do not count while it is there [BAR-248]', async () => {
    await using bar = await openBarHouse(engine);
    const [one, two, three] = await bar.enterAll(3, 'seasoned');
    assert.ok(one && two && three);
    const author = await bar.enter('author');
    await flagged(bar, author, [one, two]);
    await bar.order('quarantine', two);
    await flagged(bar, author, [three]);
    assert.equal((await author.trust()).open_flags_against_me.counting_flaggers, 2);
    assert.equal((await author.trust()).state, 'member');
    await bar.order('release', two);
    assert.equal((await author.trust()).state, 'quarantined');
  });

  test('a trusted author is never quarantined by flags, and is once it is not trusted any more [BAR-268]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('author', 'trusted');
    await flagged(bar, author, await bar.enterAll(5, 'seasoned'));
    const status = await author.trust();
    assert.deepEqual(
      [status.state, status.open_flags_against_me.counting_flaggers],
      ['trusted', 5],
    );
    assert.equal((await author.write()).status, 200);
    assert.equal((await bar.order('untrust', author)).state, 'quarantined');
  });

  test('an open counted flag stops graduation by time while it is open, an uncounted one does not [BAR-244] [BAR-245]', async () => {
    await using bar = await openBarHouse(engine);
    const [seasoned, member] = [await bar.enter('s', 'seasoned'), await bar.enter('m', 'member')];
    const held = await bar.enter('held', 'probation');
    const free = await bar.enter('free', 'probation');
    await flagged(bar, held, [seasoned]);
    await flagged(bar, free, [member]);
    bar.advance(probation_ms);
    const status = await held.trust();
    assert.equal(status.state, 'probation');
    assert.deepEqual(status.graduation, {
      eligible: false,
      time_eligible_at: '2026-09-10T12:00:00Z',
      open_flags: 1,
      vouches_counted: 0,
      vouches_needed: 2,
    });
    assert.equal((await free.trust()).state, 'member');
    bar.advance(30 * day_ms);
    assert.equal((await held.trust()).state, 'probation');
    await bar.order('clear-flags', held);
    assert.equal((await held.trust()).state, 'member');
  });

  test('messages of authors in quarantine and of banned ones may be flagged [BAR-260]', async () => {
    await using bar = await openBarHouse(engine);
    const flagger = await bar.enter('flagger', 'trusted');
    for (const [state, is_quarantined] of [
      ['quarantined', true],
      ['banned', false],
    ] as const) {
      const { body } = await flagger.flag(await bar.say(await bar.enter(state, state)));
      assert.deepEqual([body.counted, body.author_quarantined], [true, is_quarantined]);
    }
  });

  test('no answer to the flagged agent names who flagged it [BAR-273]', async () => {
    await using bar = await openBarHouse(engine);
    const flaggers = await bar.enterAll(3, 'seasoned');
    const author = await bar.enter('author');
    const note = 'a word for the reviewers';
    const message_id = await bar.say(author);
    for (const flagger of flaggers) await flagger.flag(message_id, { reason: 'spam', note });
    const paths = ['/trust/me', '/me', `/agents/${author.agent_id}`, '/trust/quarantined'];
    for (const path of [...paths, '/rooms', '/inbox', '/invitations', '/blocks']) {
      const { text } = await author.call('GET', path);
      for (const { agent_id } of flaggers) assert.ok(!text.includes(agent_id), `${path}: ${text}`);
      assert.ok(!text.includes(note), `${path}: ${text}`);
    }
    assert.equal((await author.call('GET', '/trust/quarantined')).status, 403);
  });
});
