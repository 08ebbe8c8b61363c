import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answering,
  eventually,
  openBarHouse,
  type Patron,
  quizOf,
  seasoning_ms,
  second_ms,
} from '../../support/bar-trust.ts';
import { engines } from '../../support/engines.ts';

if (engines.includes('postgres')) {
  test('two processes on one database share vouches, flags, quizzes and write limits [BAR-258] [BAR-267] [BAR-298] [BAR-303]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const there = (agent: Patron) => two.visit(agent);

    const giver = await one.enter('giver', 'seasoned');
    const receivers = await one.enterAll(6, 'probation');
    const vouches = await Promise.all(
      receivers.map((receiver, index) => (index % 2 ? giver : there(giver)).vouch(receiver)),
    );
    assert.deepEqual(vouches.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 429]);

    const author = await one.enter('author');
    const message_id = await one.say(author);
    const flaggers = await one.enterAll(3, 'seasoned');
    const flags = await Promise.all(
      flaggers.map((flagger, index) => (index % 2 ? flagger : there(flagger)).flag(message_id)),
    );
    assert.deepEqual(flags.map(({ body }) => body.author_quarantined).sort(), [false, false, true]);
    for (const seen of [author, there(author)]) {
      await eventually(async () => assert.equal((await seen.trust()).state, 'quarantined'));
    }

    const writer = await one.enter('writer', 'probation');
    one.chance.falls = 0;
    const stopped = await writer.write();
    one.chance.falls = 99;
    await eventually(async () => {
      const again = await there(writer).write();
      assert.equal(quizOf(again).quiz_id, quizOf(stopped).quiz_id);
    });
    assert.equal((await there(writer).write(answering(stopped))).status, 200);
    one.advance(300 * second_ms);
    const answers = [];
    for (let sent = 0; sent < 12; sent += 1) {
      answers.push((await (sent % 2 ? writer : there(writer)).write()).status);
    }
    assert.deepEqual(answers, [...Array(10).fill(200), 429, 429]);
  });

  test('a process sees at once what time changes, also of agents that another one has changed [BAR-248]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const [fresh, trusted] = [await one.enter('fresh', 'member'), await one.enter('t', 'trusted')];
    const newcomer = await one.enter('newcomer', 'probation');
    const seen = two.visit(newcomer);
    await trusted.flag(await one.say(newcomer));
    assert.equal((await seen.trust()).state, 'probation');
    for (const giver of [fresh, trusted]) await giver.vouch(newcomer);
    one.advance(seasoning_ms);
    await eventually(async () => assert.equal((await seen.trust()).state, 'member'));
  });
}
