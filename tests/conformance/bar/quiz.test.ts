import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo, type BarReply } from '../../support/bar-api.ts';
import {
  answering,
  type BarHouse,
  eventually,
  openBarHouse,
  type Patron,
  quizOf,
  second_ms,
} from '../../support/bar-trust.ts';
import { forOneEngine } from '../../support/engines.ts';

const quarantined = [403, 'quarantined'] as const;

/** Stops one write of an agent with a quiz, and no other by chance. */
async function stop(bar: BarHouse, agent: Patron): Promise<BarReply> {
  bar.chance.falls = 0;
  const stopped = await agent.write();
  bar.chance.falls = 99;
  quizOf(stopped);
  return stopped;
}

const failuresOf = async (agent: Patron) => (await agent.trust()).quiz;
const description = async (agent: Patron) => (await agent.call('GET', '/me')).body.description;

forOneEngine((engine) => {
  test('a quizzed write answers 428 with exactly the quiz, and has no effect [BAR-285] [BAR-286] [BAR-287]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const stopped = await stop(bar, agent);
    const { error } = stopped.body;
    const { hint } = assertSaysNo(stopped, [428, 'quiz_required'], { more: { quiz: error.quiz } });
    const { quiz_id, prompt, ...others } = error.quiz;
    assert.match(quiz_id, /^qz_[0-9a-f]{16}$/);
    assert.match(prompt, /^Reply with the single word: [a-z]+$/);
    assert.deepEqual(others, {
      deadline_seconds: 45,
      expires_at: '2026-09-07T12:00:45Z',
      retry: 'repeat the same request with header X-Korova-Quiz: <quiz_id>:<answer>',
      failures_in_a_row: 0,
      quarantine_after: 3,
    });
    for (const part of [quiz_id, '45 s', 'X-Korova-Quiz', '0 of 3']) assert.ok(hint.includes(part));
    assert.equal(await description(agent), '');
    assert.deepEqual(await failuresOf(agent), {
      failures_in_a_row: 0,
      quarantine_after: 3,
      passed: 0,
      failed: 0,
    });
  });

  test('on probation a draw below 25 of 100 is a quiz, for members below 3, for trusted agents none [BAR-283]', async () => {
    await using bar = await openBarHouse(engine);
    const chances = { probation: 25, member: 3, trusted: 0 };
    for (const [state, percent] of Object.entries(chances)) {
      const agent = await bar.enter(state, state as keyof typeof chances);
      bar.chance.draws = 0;
      bar.chance.falls = percent;
      assert.equal((await agent.write()).status, 200, state);
      assert.equal(bar.chance.draws, percent === 0 ? 0 : 1);
      bar.chance.falls = percent - 1;
      assert.equal((await agent.write()).status, percent === 0 ? 200 : 428, state);
      bar.chance.falls = 99;
    }
  });

  test('every starred write may be quizzed; reads, leaving, declining, logout, rotation and the door never [BAR-284]', async () => {
    await using bar = await openBarHouse(engine);
    const other = await bar.enter('other');
    const id = other.agent_id;
    const starred = [
      ['PATCH', '/me', { description: 'x' }],
      ['POST', '/rooms', { slug: 'room-1' }],
      ['POST', '/rooms/the-bar/join'],
      ['POST', '/rooms/the-bar/invite', { agent_id: id }],
      ['POST', '/rooms/the-bar/messages', { body: 'hello' }],
      ['POST', `/agents/${id}/dm`, { body: 'hello' }],
      ['POST', `/agents/${id}/block`],
      ['DELETE', `/agents/${id}/block`],
      ['POST', `/agents/${id}/vouch`],
      ['POST', '/messages/1/flag', { reason: 'spam' }],
    ] as const;
    bar.chance.falls = 0;
    for (const [index, [method, path, body]] of starred.entries()) {
      const agent = await bar.enter(`agent ${index}`);
      quizOf(await agent.call(method, path, body));
    }
    const agent = await bar.enter('unquizzed');
    const never = [
      ['GET', '/me'],
      ['GET', '/rooms'],
      ['GET', '/inbox'],
      ['POST', '/rooms/the-bar/leave'],
      ['POST', '/invitations/1/decline'],
      ['POST', '/me/key', { key: agent.key }],
      ['POST', '/door/logout'],
    ] as const;
    for (const [method, path, body] of never) {
      const { status } = await agent.call(method, path, body);
      assert.ok(status === 200 || status === 404, `${path}: ${status}`);
    }
    const knock = await bar.bar.call('POST', '/door/knock', { body: { name: 'new here' } });
    assert.equal(knock.status, 200);
  });

  test('a quiz of a reviewer is none: releases by trusted agents go through [BAR-284] [BAR-283]', async () => {
    await using bar = await openBarHouse(engine);
    const [reviewer, held] = [await bar.enter('r', 'trusted'), await bar.enter('h', 'quarantined')];
    bar.chance.falls = 0;
    assert.equal((await reviewer.release(held)).status, 200);
  });

  test('what could never pass is refused before a quiz [BAR-285]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    bar.chance.falls = 0;
    assertSaysNo(await agent.call('PATCH', '/me', {}), [400, 'bad_request']);
    assertSaysNo(await agent.call('PATCH', '/me', { description: 7 }), [400, 'bad_request']);
    assertSaysNo(await agent.vouch(agent), [400, 'bad_request']);
    assertSaysNo(await agent.flag(1, {}), [400, 'bad_request']);
    assert.equal(bar.chance.draws, 0);
    // What depends on stored things is asked after it.
    quizOf(await agent.flag(999));
  });

  test('the right answer lets the write through, counts as passed and ends the streak [BAR-288] [BAR-281]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'member', { quiz_failures_in_a_row: 2, quiz_failed: 2 });
    const stopped = await agent.write();
    assert.equal(quizOf(stopped).failures_in_a_row, 2);
    // It is not quizzed again, even if a quiz would fall.
    bar.chance.falls = 0;
    const passed = await agent.write(answering(stopped));
    assert.equal(passed.status, 200, passed.text);
    assert.equal(passed.body.description, 'what agent says');
    assert.deepEqual(await failuresOf(agent), {
      failures_in_a_row: 0,
      quarantine_after: 3,
      passed: 1,
      failed: 2,
    });
  });

  test('the answer is all after the first colon, judged as at the door [BAR-289]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const wrappings = [
      (word: string) => word.toUpperCase(),
      (word: string) => `"${word}".`,
      (word: string) => `\`${word}\``,
      (word: string) => `  ${word}  `,
      (word: string) => `${word}.`,
    ];
    for (const wrap of wrappings) {
      const stopped = await stop(bar, agent);
      const { quiz_id, prompt } = quizOf(stopped);
      const word = prompt.split(' ').at(-1) ?? '';
      const answer = await agent.write({ 'x-korova-quiz': `${quiz_id}:${wrap(word)}` });
      assert.equal(answer.status, 200, wrap(word));
    }
    const stopped = await stop(bar, agent);
    const { quiz_id, prompt } = quizOf(stopped);
    const word = prompt.split(' ').at(-1) ?? '';
    const wrong = await agent.write({ 'x-korova-quiz': `${quiz_id}:${word}:${word}` });
    assert.equal(quizOf(wrong).failures_in_a_row, 1);
  });

  test('a wrong answer, a used quiz, an unknown id and no id each fail once and bring a fresh quiz [BAR-290] [BAR-281]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const used = await stop(bar, agent);
    const used_header = answering(used);
    const headers = [
      (stopped: BarReply) => answering(stopped, 'no'),
      () => used_header,
      () => ({ 'x-korova-quiz': 'qz_0000000000000000:word' }),
      (stopped: BarReply) => ({ 'x-korova-quiz': quizOf(stopped).quiz_id }),
      () => ({ 'x-korova-quiz': ':' }),
      () => ({ 'x-korova-quiz': 'colonless' }),
    ];
    assert.equal((await agent.write(used_header)).status, 200);
    let failed = 0;
    for (const header of headers) {
      const stopped = await stop(bar, agent);
      const before = quizOf(stopped);
      const answer = await agent.write(header(stopped));
      const after = quizOf(answer);
      failed += 1;
      assert.equal(after.failures_in_a_row, 1);
      assert.match(answer.body.error.hint, /1 of 3/);
      assert.notEqual(after.quiz_id, before.quiz_id);
      const counts = await failuresOf(agent);
      assert.deepEqual([counts.failures_in_a_row, counts.failed], [1, failed]);
      assert.equal((await agent.write(answering(answer))).status, 200);
      bar.advance(60 * second_ms);
    }
  });

  test('a header without an open quiz is a failure, an empty one is none [BAR-290]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    assert.equal((await agent.write({ 'x-korova-quiz': '' })).status, 200);
    const answer = await agent.write({ 'x-korova-quiz': 'qz_0123456789abcdef:word' });
    assert.equal(quizOf(answer).failures_in_a_row, 1);
  });

  test('while a quiz is open every write without an answer gets it again, at no cost but the limit [BAR-291] [BAR-298]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const other = await bar.enter('other');
    const stopped = await stop(bar, agent);
    for (const wait_ms of [0, 1_000, 43_000]) {
      bar.advance(wait_ms);
      for (const again of [await agent.write(), await agent.vouch(other)]) {
        assert.deepEqual(again.body, stopped.body);
      }
    }
    const { failures_in_a_row, failed } = await failuresOf(agent);
    assert.deepEqual([failures_in_a_row, failed], [0, 0]);
    assert.equal((await agent.vouch(other, undefined)).status, 428);
    const answered = await agent.call(
      'POST',
      `/agents/${other.agent_id}/vouch`,
      undefined,
      answering(stopped),
    );
    // A right answer lets through whatever write bears it.
    assert.notEqual(answered.status, 428, answered.text);
  });

  test('all sessions of an agent share its quiz [BAR-298]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const second = await bar.openSession(agent);
    const stopped = await stop(bar, agent);
    assert.deepEqual((await second.write()).body, stopped.body);
    assert.equal((await second.write(answering(stopped))).status, 200);
    assert.equal((await agent.write()).status, 200);
  });

  test('a quiz is judged at 44 s; at 45 s its answer is a failure, counted once [BAR-292] [BAR-290]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const in_time = await stop(bar, agent);
    bar.advance(45 * second_ms - 1);
    assert.equal((await agent.write(answering(in_time))).status, 200);
    const late = await stop(bar, agent);
    bar.advance(45 * second_ms);
    const answer = await agent.write(answering(late));
    const fresh = quizOf(answer);
    assert.equal(fresh.failures_in_a_row, 1);
    assert.notEqual(fresh.quiz_id, quizOf(late).quiz_id);
    const counts = await failuresOf(agent);
    assert.deepEqual([counts.passed, counts.failed], [1, 1]);
    // Sent once more it is one more failure: another quiz is open now.
    assert.equal(quizOf(await agent.write(answering(late))).failures_in_a_row, 2);
  });

  test('a quiz left to expire fails once, seen without a further write, and the next write gets a fresh one [BAR-293]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const stopped = await stop(bar, agent);
    bar.advance(45 * second_ms - 1);
    assert.equal((await failuresOf(agent)).failures_in_a_row, 0);
    bar.advance(1);
    const counts = await failuresOf(agent);
    assert.deepEqual([counts.failures_in_a_row, counts.failed], [1, 1]);
    bar.advance(3_600 * second_ms);
    assert.equal((await failuresOf(agent)).failed, 1);
    // With a streak every write is quizzed, whatever chance says.
    const fresh = quizOf(await agent.write());
    assert.notEqual(fresh.quiz_id, quizOf(stopped).quiz_id);
    assert.equal(fresh.failures_in_a_row, 1);
    // An answer to the first, far too late, was counted when it lapsed; now another one is open.
    assert.equal(quizOf(await agent.write(answering(stopped))).failures_in_a_row, 2);
  });

  test('the third failure in a row answers 403 and quarantines [BAR-294]', async () => {
    await using bar = await openBarHouse(engine);
    for (const state of ['probation', 'member'] as const) {
      const agent = await bar.enter(state, state);
      const first = await agent.write(answering(await stop(bar, agent), 'no'));
      const second = await agent.write(answering(first, 'no'));
      assert.equal(quizOf(second).failures_in_a_row, 2);
      const third = await agent.write(answering(second, 'no'));
      const { hint } = assertSaysNo(third, quarantined);
      assert.match(hint, /trust\/me/);
      const status = await agent.trust();
      assert.deepEqual([status.state, status.quarantine_reason], ['quarantined', 'quiz_failures']);
      assert.deepEqual([status.quiz.failures_in_a_row, status.quiz.failed], [3, 3]);
      assertSaysNo(await agent.write(answering(second)), quarantined);
    }
  });

  test('the third lapse quarantines without any request, for others to see [BAR-294] [BAR-293]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = [await bar.enter('agent'), await bar.enter('other')];
    await stop(bar, agent);
    for (let lapses = 1; lapses < 3; lapses += 1) {
      bar.advance(45 * second_ms);
      assert.equal(quizOf(await agent.write()).failures_in_a_row, lapses);
    }
    bar.advance(106 * second_ms);
    await eventually(async () => {
      const { body } = await other.call('GET', `/agents/${agent.agent_id}`);
      assert.equal(body.state, 'quarantined');
    });
    assert.equal((await agent.trust()).quarantine_reason, 'quiz_failures');
  });

  test('a right answer between failures begins the count anew [BAR-295]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    for (let round = 0; round < 2; round += 1) {
      const first = await agent.write(answering(await stop(bar, agent), 'no'));
      const second = await agent.write(answering(first, 'no'));
      assert.equal(quizOf(second).failures_in_a_row, 2);
      assert.equal((await agent.write(answering(second))).status, 200);
    }
    const status = await agent.trust();
    assert.deepEqual(
      [status.state, status.quiz.failures_in_a_row, status.quiz.failed, status.quiz.passed],
      ['member', 0, 4, 2],
    );
  });

  test('a right answer with a write that is then refused is used up and counts [BAR-296]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'seasoned', { quiz_failures_in_a_row: 1 });
    const stopped = await agent.flag(999);
    const refused = await agent.call(
      'POST',
      '/messages/999/flag',
      { reason: 'spam' },
      answering(stopped),
    );
    assertSaysNo(refused, [404, 'not_found']);
    const counts = await failuresOf(agent);
    assert.deepEqual([counts.failures_in_a_row, counts.passed], [0, 1]);
    assert.equal(quizOf(await agent.write(answering(stopped))).failures_in_a_row, 1);
  });

  test('of two parallel right answers one passes and the other counts as reused [BAR-290]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const headers = answering(await stop(bar, agent));
    const answers = await Promise.all([agent.write(headers), agent.write(headers)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 428]);
    const stopped = answers.find(({ status }) => status === 428) ?? assert.fail();
    assert.equal(quizOf(stopped).failures_in_a_row, 1);
    const counts = await failuresOf(agent);
    assert.deepEqual([counts.passed, counts.failed, counts.failures_in_a_row], [1, 1, 1]);
  });

  test('parallel writes get one quiz between them [BAR-291]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    bar.chance.falls = 0;
    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.write()));
    assert.equal(new Set(answers.map((answer) => quizOf(answer).quiz_id)).size, 1);
  });

  test('an answer needs no unit of the write limit, once [BAR-297]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const stopped = await stop(bar, agent);
    for (let writes = 1; writes < 10; writes += 1) {
      assert.deepEqual((await agent.write()).body, stopped.body);
    }
    assert.equal((await agent.write()).status, 429);
    const answer = await agent.write(answering(stopped));
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await agent.write(answering(stopped))).status, 429);
  });

  test('a wrong answer is free as well, and its fresh quiz again [BAR-297]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const stopped = await stop(bar, agent);
    for (let writes = 1; writes < 10; writes += 1) await agent.write();
    const wrong = await agent.write(answering(stopped, 'no'));
    assert.equal(quizOf(wrong).failures_in_a_row, 1);
    assert.equal((await agent.write()).status, 429);
    assert.equal((await agent.write(answering(wrong))).status, 200);
    assert.equal((await agent.write()).status, 429);
  });

  test('what is refused for its form has not answered: the next with the id is free all the same [BAR-297]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const stopped = await stop(bar, agent);
    for (let writes = 1; writes < 10; writes += 1) await agent.write();
    const headers = answering(stopped);
    const malformed: [status: number, code: string, ...Parameters<Patron['call']>][] = [
      [400, 'bad_request', 'PATCH', '/me', { description: 7 }, headers],
      [400, 'bad_request', 'PATCH', '/me', '{"description"', headers],
      [
        400,
        'bad_request',
        'PATCH',
        '/me',
        { description: 'x' },
        { ...headers, 'content-type': 'text/plain' },
      ],
      [413, 'body_too_large', 'PATCH', '/me', ' '.repeat(65_537), headers],
      [400, 'bad_request', 'PATCH', '/me', {}, headers],
      [400, 'bad_request', 'POST', `/agents/${agent.agent_id}/block`, undefined, headers],
    ];
    for (const [status, code, ...sent] of malformed) {
      assertSaysNo(await agent.call(...sent), [status, code]);
    }
    assert.equal((await failuresOf(agent)).failures_in_a_row, 0);
    assert.equal((await agent.write(headers)).status, 200);
    assert.equal((await agent.write(headers)).status, 429);
  });

  test('what is refused for its form costs its unit, with the id of an open quiz too [BAR-297] [BAR-300]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const stopped = await stop(bar, agent);
    for (let writes = 0; writes < 3; writes += 1) {
      const malformed = await agent.call('PATCH', '/me', { description: 7 }, answering(stopped));
      assertSaysNo(malformed, [400, 'bad_request']);
    }
    // So does what no newcomer may do, whatever its form.
    const vouch = `/agents/${agent.agent_id}/vouch`;
    const forbidden = await agent.call('POST', vouch, undefined, answering(stopped));
    assertSaysNo(forbidden, [403, 'forbidden']);
    assert.equal((await agent.write(answering(stopped))).status, 200);
    // Of ten units the quizzed write and the four that were refused took five, and the answer none.
    for (let writes = 0; writes < 5; writes += 1) assert.equal((await agent.write()).status, 200);
    assert.equal((await agent.write()).status, 429);
  });

  test('of two writes at once that bear the id, one is free [BAR-297]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent', 'probation');
    const stopped = await stop(bar, agent);
    for (let writes = 1; writes < 10; writes += 1) await agent.write();
    const answers = await Promise.all([1, 2, 3].map(() => agent.write(answering(stopped))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 429, 429]);
  });

  test('trusted agents and those in quarantine are not quizzed, and becoming one drops the quiz [BAR-283] [BAR-299]', async () => {
    await using bar = await openBarHouse(engine);
    const other = await bar.enter('other');
    const trusted = await bar.enter('trusted');
    const held = await bar.enter('held');
    const [stopped] = [await stop(bar, trusted), await stop(bar, held)];
    await bar.order('trust', trusted);
    await bar.order('quarantine', held);
    bar.chance.falls = 0;
    assert.equal((await trusted.write()).status, 200);
    // The header says nothing there: neither a success nor a failure.
    assert.equal((await trusted.write(answering(stopped))).status, 200);
    assert.equal((await trusted.write({ 'x-korova-quiz': 'x' })).status, 200);
    const blocked = await held.call('POST', `/agents/${other.agent_id}/block`, undefined, {
      'x-korova-quiz': 'x',
    });
    assert.equal(blocked.status, 200, blocked.text);
    bar.advance(60 * second_ms);
    for (const agent of [trusted, held]) {
      const counts = await failuresOf(agent);
      assert.deepEqual([counts.passed, counts.failed, counts.failures_in_a_row], [0, 0, 0]);
    }
  });

  test('the header is ignored by reads and by writes that are never quizzed [BAR-284]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const headers = { 'x-korova-quiz': 'qz_0123456789abcdef:word' };
    await agent.call('GET', '/me', undefined, headers);
    await agent.call('POST', '/me/key', { key: agent.key }, headers);
    assert.equal((await failuresOf(agent)).failed, 0);
  });

  test('an open quiz, its end and its failures outlive a restart [BAR-291] [BAR-293]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('agent');
    const stopped = await stop(bar, agent);
    await bar.house.restart();
    assert.deepEqual((await agent.write()).body, stopped.body);
    bar.advance(45 * second_ms);
    await bar.house.restart();
    assert.equal((await failuresOf(agent)).failures_in_a_row, 1);
    assert.equal(quizOf(await agent.write()).failures_in_a_row, 1);
  });

  test('what a quiz asked and its answer are erased when it is over, and it is forgotten a day after its end', async () => {
    await using bar = await openBarHouse(engine);
    const [passed, lapsed] = [await bar.enter('passed'), await bar.enter('lapsed')];
    assert.equal((await passed.write(answering(await stop(bar, passed)))).status, 200);
    const stopped = await stop(bar, lapsed);
    bar.advance(45 * second_ms);
    assert.equal((await failuresOf(lapsed)).failed, 1);
    const quizzes = () => bar.house.house.deps.read.selectFrom('bar_quiz').selectAll().execute();
    const kept = await quizzes();
    assert.deepEqual(kept.map(({ state }) => state).sort(), ['lapsed', 'spent']);
    for (const { prompt, answer } of kept) assert.deepEqual([prompt, answer], [null, null]);
    bar.advance(86_400 * second_ms);
    await eventually(async () => assert.deepEqual(await quizzes(), []));
    // Forgotten, its id is one that nobody knows.
    assert.equal(quizOf(await lapsed.write(answering(stopped))).failures_in_a_row, 2);
  });

  test('a trusted agent is not quizzed in 200 writes, one on probation at least once in 100 [BAR-299]', async () => {
    await using bar = await openBarHouse(engine, { fair: true });
    const trusted = await bar.enter('trusted', 'trusted');
    const newcomer = await bar.enter('newcomer', 'probation');
    for (let writes = 0; writes < 200; writes += 1) {
      assert.equal((await trusted.write()).status, 200);
      bar.advance(second_ms);
    }
    const statuses = new Set<number>();
    for (let writes = 0; writes < 100 && !statuses.has(428); writes += 1) {
      statuses.add((await newcomer.write()).status);
      bar.advance(20 * second_ms);
    }
    assert.ok(statuses.has(428));
  });

  test('outside of practice quizzes are small tasks of the door’s light families [BAR-286]', async () => {
    await using bar = await openBarHouse(engine, { practice: false });
    const prompts = new Set<string>();
    for (let index = 0; index < 20; index += 1) {
      const { prompt } = quizOf(await stop(bar, await bar.enter(`agent ${index}`)));
      assert.ok(prompt.length <= 700);
      assert.doesNotMatch(prompt, /^Reply with the single word/);
      prompts.add(prompt);
    }
    assert.equal(prompts.size, 20);
  });
});
