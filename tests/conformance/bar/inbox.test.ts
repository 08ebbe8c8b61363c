import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  assertMembers,
  assertPending,
  block,
  dm,
  inbox,
  invite,
  join,
  leave,
  openRoom,
  post,
  privateRoom,
  read,
  succeed,
  untilHeld,
} from '../../support/bar-rooms.ts';
import { openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';

const bodies = (messages: readonly { body: string }[]) => messages.map(({ body }) => body);

forEachEngine((engine) => {
  test('the inbox has what others wrote in all of one’s rooms, ascending, each as its room shows it [BAR-220] [BAR-221]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, one, two] = await bar.enterAll(3, 'trusted');
    assert.ok(agent && one && two);
    const empty = { messages: [], wait_granted: 0, pending_invitations: 0 };
    assert.deepEqual(await inbox(agent), { ...empty, next_since: 0 });
    await openRoom('open-room', one, agent, two);
    await privateRoom('hidden', two, agent);
    await post(one, 'open-room', 'a');
    await post(two, 'hidden', 'b');
    await dm(one, agent, 'c');
    await post(two, 'open-room', 'd');
    const said = await inbox(agent);
    assertMembers(said, 'messages next_since wait_granted pending_invitations');
    assert.deepEqual(bodies(said.messages), ['a', 'b', 'c', 'd']);
    assert.equal(said.next_since, said.messages[3].id);
    for (const message of said.messages) {
      const { messages } = await read(agent, message.room, `?since=${message.id - 1}&limit=1`);
      assert.deepEqual(messages, [message]);
    }
    const { next_since } = await inbox(agent, '?limit=2');
    assert.equal(next_since, said.messages[1].id);
    const rest = await inbox(agent, `?since=${next_since}`);
    assert.deepEqual(bodies(rest.messages), ['c', 'd']);
    const none = await inbox(agent, `?since=${said.next_since}`);
    assert.deepEqual([none.messages, none.next_since], [[], said.next_since]);
    // A retracted message shows it here too, and a retraction is a message.
    const retraction = { content_type: 'application/x-korova-retract' };
    await post(one, 'open-room', { retracts: said.messages[0].id }, retraction);
    const all = (await inbox(agent)).messages;
    assert.equal(all[0].retracted_by, all[4].id);
    assert.equal(all[4].retracts, all[0].id);
  });

  test('rooms count as they are now: history comes with joining and goes with leaving [BAR-221]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other] = await bar.enterAll(2, 'trusted');
    assert.ok(agent && other);
    await openRoom('open-room', other);
    await privateRoom('hidden', other);
    await post(other, 'open-room', 'old');
    await post(other, 'hidden', 'older');
    assert.deepEqual((await inbox(agent)).messages, []);
    await join('open-room', agent);
    await invite(other, 'hidden', agent);
    assert.deepEqual(bodies((await inbox(agent)).messages), ['old']);
    await join('hidden', agent);
    assert.deepEqual(bodies((await inbox(agent)).messages), ['old', 'older']);
    await leave(agent, 'open-room');
    assert.deepEqual(bodies((await inbox(agent)).messages), ['older']);
  });

  test('one’s own messages, those of whom one has blocked and rooms not joined are left out [BAR-222]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, friend, enemy] = await bar.enterAll(3, 'trusted');
    assert.ok(agent && friend && enemy);
    await openRoom('open-room', friend, agent, enemy);
    await openRoom('not-joined', friend);
    await dm(enemy, agent, 'dm of enemy');
    await post(agent, 'open-room', 'own');
    await post(enemy, 'open-room', 'enemy before');
    await post(friend, 'not-joined', 'elsewhere');
    await block(agent, enemy);
    await post(enemy, 'open-room', 'enemy after');
    await post(friend, 'open-room', 'friend');
    const said = await inbox(agent);
    assert.deepEqual(bodies(said.messages), ['friend']);
    // Being blocked changes nothing for the other.
    assert.deepEqual(bodies((await inbox(enemy)).messages), ['own', 'friend']);
    await succeed(agent.call('DELETE', `/agents/${enemy.agent_id}/block`));
    assert.deepEqual(bodies((await inbox(agent)).messages), [
      'dm of enemy',
      'enemy before',
      'enemy after',
      'friend',
    ]);
  });

  test('limit is 50, at most 200 and at least 1, over all rooms [BAR-223]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('reader', 'trusted');
    const authors = await bar.enterAll(3, 'trusted');
    const slugs = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const [first, ...others] = authors;
    assert.ok(first);
    for (const slug of slugs) await openRoom(slug, first, agent, ...others);
    bar.advance(120_000);
    const posted = (
      await Promise.all(
        authors.flatMap((author, at) =>
          Array.from({ length: 70 }, (_, index) =>
            // Some rooms are busy, some seldom spoken in.
            post(author, slugs[(index % 10 < 7 ? 0 : index + at) % slugs.length] ?? '', `${index}`),
          ),
        ),
      )
    ).sort((one, other) => one.id - other.id);
    for (const [query, count] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=0', 1],
      ['?limit=200', 200],
      ['?limit=201', 200],
    ] as const) {
      const { messages, next_since } = await inbox(agent, query);
      assert.deepEqual(messages, posted.slice(0, count), query);
      assert.equal(next_since, messages[count - 1].id);
    }
    const seen: { id: number }[] = [];
    for (;;) {
      const { messages } = await inbox(agent, `?limit=13&since=${seen.at(-1)?.id ?? 0}`);
      if (messages.length === 0) break;
      seen.push(...messages);
    }
    assert.deepEqual(seen, posted);
  });

  test('an inbox holds what its definition says, whoever writes, joins, leaves and blocks [BAR-221] [BAR-222]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('reader', 'trusted');
    const others = await bar.enterAll(3, 'trusted');
    const [first, ...rest] = others;
    assert.ok(first);
    const slugs = ['one', 'two', 'three'];
    for (const slug of slugs) await openRoom(slug, first, ...rest);
    const joined = new Set<string>();
    const blocked = new Set<string>();
    const written: { id: number; room: string; author: { agent_id: string } }[] = [];
    const act = async (kind: string, slug: string, other: Patron) => {
      if (kind === 'write') written.push(await post(other, slug, 'x'));
      if (kind === 'own' && joined.has(slug)) await post(agent, slug, 'own');
      if (kind === 'join') joined.add(slug);
      if (kind === 'join') await join(slug, agent);
      if (kind === 'leave') joined.delete(slug);
      if (kind === 'leave') await leave(agent, slug);
      if (kind === 'block') blocked.add(other.agent_id);
      if (kind === 'unblock') blocked.delete(other.agent_id);
      const path = `/agents/${other.agent_id}/block`;
      if (kind === 'block') await succeed(agent.call('POST', path));
      if (kind === 'unblock') await succeed(agent.call('DELETE', path));
    };
    const kind = fc.constantFrom(
      'write',
      'write',
      'write',
      'own',
      'join',
      'leave',
      'block',
      'unblock',
    );
    const acts = fc.array(fc.tuple(kind, fc.constantFrom(...slugs), fc.constantFrom(...others)), {
      minLength: 4,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        acts,
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        async (done, from, limit) => {
          bar.advance(30_000);
          for (const [what, slug, other] of done) await act(what, slug, other);
          const since = from % ((written.at(-1)?.id ?? 0) + 1);
          const expected = written
            .filter(
              ({ id, room, author }) =>
                id > since && joined.has(room) && !blocked.has(author.agent_id),
            )
            .slice(0, limit);
          const { messages } = await inbox(agent, `?since=${since}&limit=${limit}`);
          assert.deepEqual(messages, expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a wait ends with what belongs in the inbox, in any room, and not with what is left out [BAR-224]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, friend, enemy] = await bar.enterAll(3, 'trusted');
    assert.ok(agent && friend && enemy);
    await openRoom('one', friend, agent, enemy);
    await openRoom('two', friend, agent, enemy);
    await openRoom('not-joined', friend);
    await block(agent, enemy);
    let since = 0;
    const waitFor = async (act: () => Promise<unknown>, expected: string) => {
      const held = inbox(agent, `?since=${since}&wait=20`);
      await untilHeld(bar, 1);
      await post(agent, 'one', 'own');
      await post(enemy, 'two', 'enemy');
      await post(friend, 'not-joined', 'elsewhere');
      await privateRoom(`invitation-${since}`, friend);
      await invite(friend, `invitation-${since}`, agent);
      await assertPending(held, agent);
      await act();
      const { messages, next_since, wait_granted } = await held;
      assert.deepEqual([bodies(messages), wait_granted], [[expected], 20]);
      since = next_since;
      bar.advance(30_000);
    };
    await waitFor(() => post(friend, 'one', 'in one'), 'in one');
    await waitFor(() => post(friend, 'two', 'in two'), 'in two');
    // In a room that did not exist when the wait began.
    await waitFor(() => dm(friend, agent, 'a DM'), 'a DM');
    // In a room that the agent joined meanwhile: what was said there before counts too.
    const visitor = await bar.openSession(agent);
    const { id } = await post(friend, 'not-joined', 'joined since');
    since = id - 1;
    const held = inbox(agent, `?since=${since}&wait=20`);
    await untilHeld(bar, 1);
    await join('not-joined', visitor);
    assert.deepEqual(bodies((await held).messages), ['joined since']);
  });

  test('a wait goes on over rooms joined and left, for what comes in any of them [BAR-224]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, friend] = await bar.enterAll(2, 'trusted');
    assert.ok(agent && friend);
    for (const slug of ['one', 'two', 'three']) await openRoom(slug, friend);
    await join('one', agent);
    const other_session = await bar.openSession(agent);
    const held = inbox(agent, '?wait=20');
    await untilHeld(bar, 1);
    await join('two', other_session);
    await join('three', other_session);
    await leave(other_session, 'one');
    await post(friend, 'one', 'left');
    await assertPending(held, agent);
    await post(friend, 'three', 'here');
    assert.deepEqual(bodies((await held).messages), ['here']);
    // The time granted is that of the whole wait.
    const { next_since } = await inbox(agent);
    const timed = inbox(agent, `?since=${next_since}&wait=20`);
    await untilHeld(bar, 1);
    bar.advance(15_000);
    await join('one', other_session);
    await leave(other_session, 'one');
    await assertPending(timed, agent);
    bar.advance(5_000);
    const { messages, wait_granted } = await timed;
    assert.deepEqual([messages, wait_granted], [[], 20]);
  });

  test('pending_invitations counts what the list of invitations has [BAR-225]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, owner] = await bar.enterAll(2, 'trusted');
    assert.ok(agent && owner);
    const both = async () => {
      const { invitations } = await succeed(agent.call('GET', '/invitations'));
      const { pending_invitations } = await inbox(agent);
      assert.equal(pending_invitations, invitations.length);
      return pending_invitations;
    };
    assert.equal(await both(), 0);
    const ids: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      await privateRoom(`hidden-${index}`, owner);
      ids.push((await invite(owner, `hidden-${index}`, agent)).invitation_id);
      assert.equal(await both(), index + 1);
      bar.advance(60_000);
    }
    await join('hidden-0', agent);
    assert.equal(await both(), 3);
    await succeed(agent.call('POST', `/invitations/${ids[1]}/decline`));
    assert.equal(await both(), 2);
    bar.advance(14 * 86_400_000 - 120_000);
    assert.equal(await both(), 1);
    bar.advance(60_000);
    assert.equal(await both(), 0);
  });
});
