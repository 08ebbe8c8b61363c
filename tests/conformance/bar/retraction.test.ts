import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  dm,
  dmRoom,
  join,
  leave,
  openRoom,
  post,
  privateRoom,
  read,
  succeed,
} from '../../support/bar-rooms.ts';
import { openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { engines, forEachEngine } from '../../support/engines.ts';

const content_type = 'application/x-korova-retract';
const bad = [400, 'bad_request'] as const;

const retract = (author: Patron, slug: string, body: unknown) =>
  author.call('POST', `/rooms/${slug}/messages`, { content_type, body });

forEachEngine((engine) => {
  test('an author takes a message back with an object or its text, and the original says so [BAR-237] [BAR-238]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, reader] = await bar.enterAll(2, 'trusted');
    assert.ok(author && reader);
    await join('the-bar', author);
    const originals = [];
    for (const body of ['one', 'two', 'three']) originals.push(await post(author, 'the-bar', body));
    const [first, second, third] = originals.map(({ id }) => id);
    const sent: readonly [unknown, string][] = [
      [
        { retracts: first, reason: 'Wrong figures.' },
        `{"retracts":${first},"reason":"Wrong figures."}`,
      ],
      [`{ "reason": "", "retracts": ${second} }`, `{ "reason": "", "retracts": ${second} }`],
      [{ more: [1.5, '🍸'], retracts: third }, `{"more":[1.5,"🍸"],"retracts":${third}}`],
    ];
    for (const [index, [body, stored]] of sent.entries()) {
      const before: object = (await read(reader, 'the-bar')).messages[index];
      assert.partialDeepStrictEqual(before, { retracted_by: null });
      const said = await succeed(retract(author, 'the-bar', body), 201);
      assert.deepEqual(
        [said.content_type, said.body, said.retracts, said.retracted_by, said.reply_to],
        [content_type, stored, originals[index].id, null, null],
      );
      const after: object[] = (await read(reader, 'the-bar')).messages;
      assert.deepEqual(after[index], { ...before, retracted_by: said.id });
      assert.deepEqual(after.at(-1), said);
    }
    // In pages that hold only one of the two, too.
    const page = await read(reader, 'the-bar', `?since=${first}&limit=1`);
    assert.equal(page.messages[0].id, second);
    assert.ok(page.messages[0].retracted_by > second);
    // A retracted message may be flagged, replied to, and stays in the chain.
    assert.equal((await reader.flag(first)).status, 200);
    assert.equal((await succeed(reader.call('GET', '/rooms/the-bar/chain'))).count, 6);
  });

  test('a retraction without an integer id, or with a reason that is no text, is refused by its form [BAR-239]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const { id } = await post(author, 'the-bar', 'stays');
    for (const body of [
      {},
      { retracts: null },
      { retracts: String(id) },
      { retracts: [id] },
      { retracts: id + 0.5 },
      { retracts: true },
      { Retracts: id },
      { retracts: id, reason: null },
      { retracts: id, reason: 7 },
      { retracts: id, reason: ['x'] },
      { retracts: id, also: 9_007_199_254_740_992 },
      [],
      [{ retracts: id }],
      id,
      true,
      'null',
      `${id}`,
      'text',
      '{"retracts": ',
      `[{"retracts": ${id}}]`,
      `{"retracts": "${id}"}`,
      `{"retracts": ${id}, "reason": null}`,
      '{"retracts": 9007199254740993}',
      '{"retracts": 1e999}',
    ]) {
      assertSaysNo(await retract(author, 'the-bar', body), bad, {
        about: 'body',
        what: JSON.stringify(body),
      });
    }
    for (const body of ['', null, undefined]) {
      assertSaysNo(await retract(author, 'the-bar', body), bad, { about: 'body' });
    }
    // The form comes before membership.
    const stranger = await bar.enter('two', 'trusted');
    assertSaysNo(await retract(stranger, 'none', {}), bad, { about: 'body' });
    const { messages } = await read(author, 'the-bar');
    assert.deepEqual([messages.length, messages[0].retracted_by], [1, null]);
  });

  test('only one’s own message of the same room can be taken back, and no retraction [BAR-240] [BAR-241]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, other] = await bar.enterAll(2, 'trusted');
    assert.ok(author && other);
    await join('the-bar', author, other);
    await openRoom('elsewhere', author);
    await privateRoom('hidden', other);
    const own = await post(author, 'the-bar', 'mine');
    const foreign = await post(other, 'the-bar', 'theirs');
    const elsewhere = await post(author, 'elsewhere', 'mine elsewhere');
    const hidden = await post(other, 'hidden', 'theirs hidden');
    assertSaysNo(await retract(author, 'the-bar', { retracts: foreign.id }), [403, 'forbidden']);
    const texts = new Set<string>();
    for (const retracts of [elsewhere.id, hidden.id, 999_999, 0, -1]) {
      const refused = await retract(author, 'the-bar', { retracts });
      assertSaysNo(refused, bad, { about: 'body', what: String(retracts) });
      texts.add(refused.text);
    }
    assert.equal(texts.size, 1);
    const retraction = await succeed(retract(author, 'the-bar', { retracts: own.id }), 201);
    assertSaysNo(await retract(author, 'the-bar', { retracts: retraction.id }), bad);
    // Another's retraction is one first, and only then another's.
    assertSaysNo(await retract(other, 'the-bar', { retracts: retraction.id }), bad);
    // Another's message that is retracted already is another's first.
    assertSaysNo(await retract(other, 'the-bar', { retracts: own.id }), [403, 'forbidden']);
    assert.equal((await read(other, 'the-bar')).messages.length, 3);
    // In a DM it is as in other rooms.
    const { message } = await dm(author, other, 'oops');
    assertSaysNo(await retract(other, dmRoom(author, other), { retracts: message.id }), [
      403,
      'forbidden',
    ]);
    const by_dm = { content_type, body: { retracts: message.id } };
    const path = `/agents/${other.agent_id}/dm`;
    const said = await succeed(author.call('POST', path, by_dm), 201);
    assert.equal(said.message.retracts, message.id);
  });

  test('a message is retracted once, also by twenty requests at once [BAR-242]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const [first, second] = [
      await post(author, 'the-bar', 'a'),
      await post(author, 'the-bar', 'b'),
    ];
    const { id } = await succeed(retract(author, 'the-bar', { retracts: first.id }), 201);
    assertSaysNo(await retract(author, 'the-bar', { retracts: first.id }), [409, 'conflict']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => retract(author, 'the-bar', { retracts: second.id })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)]);
    const { messages } = await read(author, 'the-bar');
    assert.equal(messages.length, 4);
    assert.deepEqual(
      messages.map(({ retracted_by }: { retracted_by: number | null }) => retracted_by),
      [id, messages[3].id, null, null],
    );
  });

  test('who may not post may not retract [BAR-237]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('one', 'trusted');
    await join('the-bar', author);
    const { id } = await post(author, 'the-bar', 'a');
    await leave(author, 'the-bar');
    assertSaysNo(await retract(author, 'the-bar', { retracts: id }), [403, 'forbidden']);
    await join('the-bar', author);
    await bar.order('quarantine', author);
    assertSaysNo(await retract(author, 'the-bar', { retracts: id }), [403, 'quarantined']);
  });
});

if (engines.includes('postgres')) {
  test('of retractions sent to two processes at once one is posted [BAR-242]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const author = await one.enter('one', 'trusted');
    await join('the-bar', author);
    for (let round = 0; round < 3; round += 1) {
      const { id } = await post(author, 'the-bar', 'x');
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          retract(index % 2 ? author : two.visit(author), 'the-bar', { retracts: id }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(11).fill(409)]);
    }
    assert.equal((await read(author, 'the-bar')).messages.length, 6);
  });
}
